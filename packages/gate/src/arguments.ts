import type { ToolArgument } from './ports/tool.ts'

/** One argument of a call that a rule's pattern speaks of. */
export interface ArgumentValue {
  readonly name: string
  readonly value: unknown
  /** What the value has to be, where it is not. Default `text`. */
  readonly expected?: string
}

/**
 * The arguments of a call's input that its rules speak of, as many as are there. An array of paths counts as one
 * argument for each of its elements, and so does one of "commands"; elsewhere, an array is the words of one command.
 * @returns undefined where the input is not a plain object
 */
export function argumentValues(argument: ToolArgument, input: unknown): readonly ArgumentValue[] | undefined {
  if (!isPlainObject(input)) return undefined
  const found: ArgumentValue[] = []
  for (const name of argumentNames(argument)) {
    if (!(name in input)) continue
    if (name === argument.program?.name) {
      if (plainProperty(input, name) !== undefined) found.push(commandOf(argument.program, input))
      continue
    }
    const property = Object.getOwnPropertyDescriptor(input, name)
    // A getter could answer otherwise when the tool asks, and so could what is inherited: there, but not to be judged.
    const hidden = property === undefined ? name in input : !('value' in property)
    const value: unknown = hidden ? null : property?.value
    if (value === undefined) continue
    const isList = argument.kind === 'path' || (argument.kind === 'shell' && name === 'commands')
    if (isList && Array.isArray(value) && value.length > 0) {
      for (const element of Array.from<unknown>(value)) found.push({ name, value: element })
    } else found.push({ name, value })
  }
  return found
}

/**
 * Several commands of one call as one script: a `cd` in one of them may hold for the next. Empty where there are not
 * several.
 */
export function commandSequence(values: readonly ArgumentValue[]): readonly string[] {
  const lines = values.map(({ value }) => value).filter((value) => typeof value === 'string')
  return lines.length < 2 ? [] : [lines.join('\n')]
}

/** The names of the arguments that a tool's rules speak of. */
export function argumentNames({ argument, program }: ToolArgument): readonly string[] {
  const names = typeof argument === 'string' ? [argument] : argument
  return program === undefined || names.includes(program.name) ? names : [...names, program.name]
}

/** The command that a program and its arguments amount to, or the one of the two that is something else. */
function commandOf({ name, args }: NonNullable<ToolArgument['program']>, input: object): ArgumentValue {
  const program = plainProperty(input, name)
  if (typeof program !== 'string' || program === '') return { name, value: null }
  const words = plainProperty(input, args) ?? []
  // Not `every` on the list, which passes over what is missing in its middle.
  const all: readonly unknown[] = Array.isArray(words) ? Array.from<unknown>(words) : [undefined]
  return all.every((word) => typeof word === 'string')
    ? { name, value: shellWords([program, ...all]) }
    : { name: args, value: null, expected: 'a list of texts' }
}

/** The value of a property; `false` for a getter and for what is inherited, which could be another when the tool asks. */
function plainProperty(input: object, name: string): unknown {
  if (!(name in input)) return undefined
  const property = Object.getOwnPropertyDescriptor(input, name)
  return property !== undefined && 'value' in property ? (property.value as unknown) : false
}

/** Whether a value is an object as JSON or a literal makes it, and no list. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a plain object's prototype too: it has none itself.
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !Array.isArray(value))
}

/** Words that every POSIX shell reads as they stand. */
const PLAIN = /^[\w./:@%+,-]+$/

/** Writes words as one simple command of a POSIX shell that has exactly these words. */
function shellWords(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
