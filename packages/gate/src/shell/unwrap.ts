import { optionValue, subcommandIndexes } from './options.ts'
import { below, type Wrapping } from './programs/program.ts'
import { findProgram, programName } from './programs/programs.ts'

/** A command among the words of another one. */
interface WrappedCommand {
  readonly words: readonly string[]
  /** The folder that it runs in, relative to the one of the other command; empty: the same. */
  readonly folder: string
}

/** Places in the words of one program where another command may begin. */
const MAX_TAILS = 8

/**
 * The commands that a program may be told to run, as far as they may mutate files: the one that is where the
 * program's record says; and the first word that names a program which mutates files or runs others, since what stands
 * before it may be values of options that the record does not list.
 */
export function wrappedCommands(words: readonly string[], wrapping: Wrapping): readonly WrappedCommand[] | 'too many' {
  const tails = tailsOf(words, wrapping)
  if (tails.length > MAX_TAILS) return 'too many'
  return tails.flatMap((tail) => {
    const { before, line, index } = commandIn(tail, wrapping)
    if (index < 0) return []
    const first = line.findIndex(isKnown)
    const isCertain = isKnown(line[index] ?? '')
    const indexes = new Set<number>()
    if (isCertain || findProgram(line[index] ?? '')?.wraps !== undefined) indexes.add(index)
    if (first >= 0 && (first < index || !isCertain)) indexes.add(first)
    return Array.from(indexes, (at) => ({
      words: line.slice(at),
      folder: folderOf([...before, ...line.slice(0, at)], wrapping),
    }))
  })
}

/**
 * The commands that a program runs, as the program's record says: one, or several where an option that the record does not
 * list may have a value.
 */
export function innerCommands(words: readonly string[], wrapping: Wrapping): readonly (readonly string[])[] {
  if (wrapping.options !== undefined) return []
  return tailsOf(words, wrapping).flatMap((tail) => {
    const { line, index } = commandIn(tail, wrapping)
    if (index < 0 || index >= line.length) return []
    const before = line[index - 1] ?? words[words.length - line.length - 1] ?? ''
    const mayBeValue = before.startsWith('-') && before !== '--' && !before.includes('=') && index + 1 < line.length
    return mayBeValue ? [line.slice(index), line.slice(index + 1)] : [line.slice(index)]
  })
}

/** Where these commands begin among the words; not of a command that is in one word, as of `env -S`. */
export function innerCommandIndexes(words: readonly string[], wrapping: Wrapping): readonly number[] {
  return innerCommands(words, wrapping)
    .map((command) => ({ command, at: words.length - command.length }))
    .filter(({ command, at }) => command.every((word, index) => words[at + index] === word))
    .map(({ at }) => at)
    .toSorted((a, b) => a - b)
}

/** Whether a word names a program that may mutate files, or runs another one whatever its words are. */
function isKnown(word: string): boolean {
  const program = findProgram(word)
  if (program?.mutates !== undefined) return true
  return program?.wraps !== undefined && program.wraps.subcommands === undefined && program.wraps.options === undefined
}

/** The words of a program up to where another command and its own options for it begin, and those from there on. */
interface Tail {
  readonly before: readonly string[]
  readonly line: readonly string[]
}

function tailsOf(
  words: readonly string[],
  { subcommands, commands = [], otherThan, script, options }: Wrapping,
): readonly Tail[] {
  if (options !== undefined) {
    const tails: Tail[] = []
    for (let index = 1; index < words.length && tails.length <= MAX_TAILS; index++) {
      const word = words[index]!
      const given = options.includes(word) ? { isNext: true, value: '' } : optionValue(word, undefined, options)
      if (given === undefined) continue
      const rest = words.slice(index + 1)
      tails.push({ before: words.slice(1, index), line: given.isNext ? rest : [given.value, ...rest] })
    }
    return tails
  }
  if (subcommands === undefined) return [{ before: [], line: words.slice(1) }]
  return subcommandIndexes(words).flatMap((index) => {
    const subcommand = subcommands
      .map((name) => name.split(' '))
      .find((parts) => parts.every((part, offset) => words[index + offset] === part))
    const word = words[index]!
    if (word === script?.subcommand) return tailsOfScript(words, index, script.otherThan)
    const isCommand = commands.includes(programName(word)) || (otherThan !== undefined && isLimited(word, otherThan))
    const length = subcommand?.length ?? (isCommand ? 0 : undefined)
    if (length === undefined) return []
    return [{ before: words.slice(1, index), line: words.slice(index + length) }]
  })
}

/** What is run by the name of a script, where a program of the table has that name. */
function tailsOfScript(words: readonly string[], subcommand: number, otherThan: readonly string[]): readonly Tail[] {
  return subcommandIndexes(words.slice(subcommand)).flatMap((offset) => {
    const at = subcommand + offset
    const word = words[at]!
    if (!isLimited(word, otherThan) && (otherThan.includes(word) || findProgram(word)?.mutates === undefined)) return []
    return [{ before: words.slice(1, at), line: words.slice(at) }]
  })
}

/** Whether a word names a program of which a prefix rule does not cover everything, and is none of some other words. */
function isLimited(word: string, otherThan: readonly string[]): boolean {
  const program = findProgram(word)
  if (program === undefined || otherThan.includes(word)) return false
  return [program.exactOnly, program.unsafe, program.judge, program.namesScript].some((limit) => limit !== undefined)
}

/** Where in the line the command is; -1 where nothing is run. */
function commandIn({ before, line }: Tail, wrapping: Wrapping): Tail & { readonly index: number } {
  const { folder = [], valued = [], split = [], lookup = [] } = wrapping
  const withValue = [...valued, ...folder]
  const letters = lettersOf(withValue)
  let operands = wrapping.operands ?? 0
  let index = 0
  for (; index < line.length; index++) {
    const word = line[index]!
    const next = line[index + 1]
    if (word.startsWith('-')) {
      if (optionValue(word, next, lookup, letters) !== undefined) return { before, line, index: -1 }
      const text = optionValue(word, next, split, letters)
      if (text !== undefined) {
        const rest = line.slice(index + (text.isNext ? 2 : 1))
        const words = text.value.trim().split(/\s+/)
        return { before: [...before, ...line.slice(0, index)], line: [...words, ...rest], index: 0 }
      }
      if (optionValue(word, next, withValue, letters)?.isNext === true) index++
    } else if (!ASSIGNMENT.test(word) && operands-- <= 0) break
  }
  return { before, line, index }
}

/** What sets a variable for the command. */
const ASSIGNMENT = /^\w+=/

function folderOf(words: readonly string[], { folder: options = [], valued = [] }: Wrapping): string {
  const letters = lettersOf([...valued, ...options])
  return words.reduce((folder, word, index) => {
    const given = optionValue(word, words[index + 1], options, letters)
    return given === undefined ? folder : below(folder, given.value)
  }, '')
}

function lettersOf(options: readonly string[]): string {
  return options.map((option) => (option.length === '-C'.length ? option[1] : '')).join('')
}
