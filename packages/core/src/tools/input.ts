/** Reads the input of a tool as the model wrote it. Types are never coerced: a wrong one is told, with the right form. */
export interface InputReader {
  /** The string of that name, trimmed; undefined where it is absent. A message where it is no string. */
  text(name: string): { readonly value: string | undefined } | { readonly wrong: string }
  /** The whole number of that name, 1 or more; undefined where it is absent. A message where it is none. */
  line(name: string): { readonly value: number | undefined } | { readonly wrong: string }
}

/** A reader over an input, or what is wrong with the input as a whole. */
export function readInput(tool: string, input: unknown): InputReader | { readonly wrong: string } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { wrong: `\`${tool}\` takes its input as one JSON object; it was given ${given(input)}.` }
  }
  const values = new Map<string, unknown>(Object.entries(input))
  return {
    text(name) {
      const value = values.get(name)
      if (value === undefined || value === null) return { value: undefined }
      if (typeof value !== 'string')
        return {
          wrong: `\`${name}\` of \`${tool}\` must be a string; it was given a ${Array.isArray(value) ? 'list' : typeof value}.`,
        }
      return { value: value.trim() }
    },
    line(name) {
      const value = values.get(name)
      if (value === undefined || value === null) return { value: undefined }
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
        return { wrong: `\`${name}\` of \`${tool}\` must be a whole number, 1 or more.` }
      return { value }
    },
  }
}

// Text is what arguments that could not be parsed come as; its beginning shows the model where it went wrong.
function given(input: unknown): string {
  if (typeof input === 'string')
    return `text that is none: ${JSON.stringify(input.length > 80 ? `${input.slice(0, 80)}…` : input)}`
  if (input === undefined) return 'nothing'
  if (input === null) return 'null'
  return Array.isArray(input) ? 'a list' : `a ${typeof input}`
}
