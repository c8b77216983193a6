/** What a refusal names, in the words of the gate: `the option "--ext-diff"`. */
const NAMED = /\b(?:address|argument|command|file|host|option|path|program|statement|url) "((?:[^"\\]|\\.)*)"/gi

/** The part of a call's input that a refusal is about. Undefined: the reason names none that is in the input. */
export function failingPart(reason: string, input: unknown): string | undefined {
  const texts = textsIn(input)
  return [...reason.matchAll(NAMED)]
    .map(([, part = '']) => part.replaceAll(/\\(.)/g, '$1'))
    .findLast((part) => part !== '' && texts.some((text) => text.includes(part)))
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
