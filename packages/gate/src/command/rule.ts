import { MAX_PATTERN_CHARS } from '../limits.ts'
import { type FoundReader, findReader, readerProblem } from './reader.ts'
import { literalWord, readLiteral } from './word.ts'

/** A rule for commands: exactly these words, or these and whatever may follow. */
export interface CommandRule {
  readonly program: string
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** The reader that its words begin with, if they all only read. */
  readonly reader?: FoundReader | undefined
}

export function coversAnyCommand(pattern: string | undefined): boolean {
  return pattern === undefined || pattern === '*' || pattern === ':*'
}

/** Patterns as they were read: all that are in force are compared with every command. */
const MAX_KNOWN = 500

function remember<T>(read: (pattern: string) => T | undefined): (pattern: string) => T | undefined {
  const known = new Map<string, T | undefined>()
  return (pattern) => {
    if (pattern.length > MAX_PATTERN_CHARS) return undefined
    if (!known.has(pattern)) {
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(pattern, read(pattern))
    }
    return known.get(pattern)
  }
}

/** Reads a pattern for commands; undefined if it permits none. */
export const readCommandRule = remember(parseRule)

/** A `*` for what may follow, at the end of a pattern. */
const PREFIX = /(?::|[ \t])\*$/

function parseRule(pattern: string): CommandRule | undefined {
  const text = pattern.trim()
  const isPrefix = PREFIX.test(text)
  const written = splitWords(isPrefix ? text.slice(0, -2) : text)
  const words = written.flatMap((word) => readLiteral(word) ?? [])
  // A variable before a command is no word of it.
  if (words.length === 0 || words.length < written.length || /^[A-Za-z_]\w*=/.test(words[0]!)) return undefined
  const reader = isPrefix ? findReader(words) : undefined
  const isKnown =
    reader !== undefined && readerProblem(reader, words.slice(reader.length).map(literalWord)) === undefined
  return { program: written[0]!, words, isPrefix, reader: isKnown ? reader : undefined }
}

/** The words of a pattern, as they are written. */
function splitWords(text: string): readonly string[] {
  return text.match(/(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+|["'\\]/g) ?? []
}

/** The words of a rule that denies, the name of its program first; undefined if they cannot be read. */
export const readDenied = remember((pattern): readonly string[] | undefined => {
  const written = splitWords(pattern.trim().replace(PREFIX, '')).filter((word) => word !== '*')
  const [program, ...rest] = written.flatMap((word) => readLiteral(word) ?? [])
  if (program === undefined || rest.length + 1 < written.length) return undefined
  return [program.slice(program.lastIndexOf('/') + 1).toLowerCase(), ...rest]
})

/** The folder of a skill, as its author writes it. */
const FOLDER = /\$\{CLAUDE_SKILL_DIR\}|\{baseDir\}/g

/** Why a pattern for commands permits none: a clause. */
export function commandPatternProblem(pattern: string): string | undefined {
  const filled = pattern.replaceAll(FOLDER, '/skill')
  if (coversAnyCommand(filled) || readCommandRule(filled) !== undefined) return undefined
  if (/^\/.*\/scripts\/\*$/.test(filled)) return undefined
  return filled.replace(PREFIX, '').includes('*')
    ? 'a "*" stands for what follows at the end of a command alone, as in "git log:*"'
    : 'its pattern is not one plain command'
}

export function unboundedProgram(pattern: string | undefined): string | undefined {
  if (coversAnyCommand(pattern)) return 'any command'
  const rule = readCommandRule(pattern!)
  return rule === undefined || !rule.isPrefix || rule.reader !== undefined ? undefined : rule.words[0]
}

/** The reader of a rule that may run what a repository's git configuration names. */
export function configuredReader(pattern: string): string | undefined {
  const { name } = readCommandRule(pattern)?.reader ?? {}
  return name?.startsWith('git ') === true ? name : undefined
}

/** Whether a rule certainly covers no command that another does not cover: `git log:*` lies within `git:*`. */
export function isCommandWithin(pattern: string, bounds: string): boolean {
  if (coversAnyCommand(bounds)) return true
  const inner = coversAnyCommand(pattern) ? undefined : readCommandRule(pattern)
  const outer = readCommandRule(bounds)
  if (inner === undefined || outer === undefined || (inner.isPrefix && !outer.isPrefix)) return false
  if (!outer.words.every((word, index) => inner.words[index] === word)) return false
  if (!outer.isPrefix) return inner.words.length === outer.words.length
  const { reader } = outer
  if (reader === undefined) return true
  return readerProblem(reader, inner.words.slice(reader.length).map(literalWord)) === undefined
}
