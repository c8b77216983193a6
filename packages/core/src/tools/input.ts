import { quoteBeginning } from '@repertoire/skill-md/internal'

/** Reads the input of a tool as the model wrote it. Types are never coerced: a wrong one gets a message with the right one. */
export interface InputReader {
  /** Returns the string of a name, trimmed; undefined where it is absent. A message where it is not a string. */
  text(name: string): { readonly value: string | undefined } | { readonly wrong: string }
  /** Returns the strings of a name, as they are; none where it is absent. A message where it is not a list of strings. */
  texts(name: string): { readonly value: readonly string[] } | { readonly wrong: string }
  /** Returns the whole number of a name, 1 or more; undefined where it is absent. A message where it is something else. */
  line(name: string): { readonly value: number | undefined } | { readonly wrong: string }
}

/** Returns what is wrong with an input as a whole; undefined where it is an object. */
export function inputProblem(tool: string, input: unknown): string | undefined {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return undefined
  return `\`${tool}\` takes its input as one JSON object; it was given ${kindOf(input)}.`
}

/** Returns a reader of an input, or what is wrong with the whole input. */
export function readInput(tool: string, input: unknown): InputReader | { readonly wrong: string } {
  const wrong = inputProblem(tool, input)
  if (wrong !== undefined) return { wrong }
  const values = new Map<string, unknown>(Object.entries(input as object))
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
    texts(name) {
      const value = values.get(name)
      if (value === undefined || value === null) return { value: [] }
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return { value }
      return { wrong: `\`${name}\` of \`${tool}\` must be a list of strings, one for each argument.` }
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

/** What the fields of an input may be, with what they are read as. */
interface FieldKinds {
  readonly text: string | undefined
  readonly texts: readonly string[]
  readonly line: number | undefined
}

/** Returns the fields of an input, read by their kinds, or what is wrong with the first that is wrong. */
export function readFields<const Fields extends Readonly<Record<string, keyof FieldKinds>>>(
  tool: string,
  input: unknown,
  fields: Fields,
): { readonly values: { readonly [Name in keyof Fields]: FieldKinds[Fields[Name]] } } | { readonly wrong: string } {
  const reader = readInput(tool, input)
  if ('wrong' in reader) return reader
  const values: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const read = reader[kind](name)
    if ('wrong' in read) return read
    values[name] = read.value
  }
  return { values: values as { readonly [Name in keyof Fields]: FieldKinds[Fields[Name]] } }
}

// Arguments that could not be parsed come as text; its beginning shows the model where it went wrong.
function kindOf(input: unknown): string {
  if (typeof input === 'string') return `text that is none: ${quoteBeginning(input, 80)}`
  if (input === undefined) return 'nothing'
  if (input === null) return 'null'
  return Array.isArray(input) ? 'a list' : `a ${typeof input}`
}
