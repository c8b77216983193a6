import type { WireRequest } from '../endpoint/wire.ts'

/** Returns every text that a request shows to the model, without the calls that the model wrote itself. */
export function shownTexts({ system, tools, messages }: WireRequest): readonly string[] {
  return [system, ...toolTexts({ tools }), ...messages.map(({ text }) => text)]
}

/** Returns the texts of the offered tools: names, descriptions and input schemas. */
export function toolTexts({ tools }: Pick<WireRequest, 'tools'>): readonly string[] {
  return tools.flatMap(({ name, description, inputSchema }) => [name, description, JSON.stringify(inputSchema)])
}

/**
 * Whether one of the texts shows a part. The text may be written as XML or JSON: hosts choose their own format, and a
 * model reads all of them. A part of one line may be broken into several. Several lines must be whole, and in order.
 */
export function shows(texts: readonly string[], part: string): boolean {
  return missingFrom(texts, part) === undefined
}

/** Returns the first line of a part that the texts do not show in its place; undefined if one text shows everything. */
export function missingFrom(texts: readonly string[], part: string): string | undefined {
  const lines = part.split('\n').filter((line) => line.trim() !== '')
  const read = texts.flatMap((text) => readings(text))
  if (lines.length > 1) return lines[Math.max(0, ...read.map((text) => countInOrder(text, lines)))]
  const wanted = onOneLine(part)
  return read.some((text) => onOneLine(withoutEntities(text)).includes(wanted) || onOneLine(text).includes(wanted))
    ? undefined
    : part
}

/** How many lines are shown, each by a later line of the text than the one before it. Line numbers do not matter. */
function countInOrder(text: string, lines: readonly string[]): number {
  let count = 0
  for (const line of text.split('\n')) {
    const wanted = lines[count]?.trimEnd()
    if (wanted !== undefined && (line.includes(wanted) || withoutEntities(line).includes(wanted))) count++
  }
  return count
}

/** Returns a text as a model may read it: unchanged, and with escapes of JSON decoded, once and twice. */
function readings(text: string): readonly string[] {
  const once = withoutJsonEscapes(text)
  return [...new Set([text, once, withoutJsonEscapes(once)])]
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function withoutEntities(text: string): string {
  return text
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (_, code: string) => {
      const number = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code)
      return number <= 0x10ffff ? String.fromCodePoint(number) : ''
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Decodes JSON strings inside other text, such as a list in a system prompt. */
function withoutJsonEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-f]{4})|(["\\/nrt]))/gi,
    (_, code: string | undefined, short: string | undefined) =>
      code === undefined ? (JSON_ESCAPES[short!] ?? short!) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
