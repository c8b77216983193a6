import type { Reader } from './reader-record.ts'
import { READERS } from './readers.ts'
import type { ShellWord } from './word.ts'

export interface FoundReader {
  readonly reader: Reader
  readonly name: string
  readonly length: number
}

/** The words that a reader's name may have: `git branch --list`. */
const MAX_NAME_WORDS = 3

export function findReader(words: readonly (string | undefined)[]): FoundReader | undefined {
  for (let length = MAX_NAME_WORDS; length > 0; length--) {
    const own = words.slice(0, length)
    if (own.length < length || own.includes(undefined)) continue
    const name = own.join(' ')
    const reader = READERS.get(name)
    if (reader !== undefined) return { reader, name, length }
  }
  return undefined
}

type OptionLists = Readonly<Record<'flags' | 'values' | 'pairs' | 'optional', ReadonlySet<string>>>

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

function optionLists({ flags = '', values = '', pairs = '', optional = '' }: Reader): OptionLists {
  return { flags: setOf(flags), values: setOf(values), pairs: setOf(pairs), optional: setOf(optional) }
}

/** Runs the program that checks signatures. */
const SIGNATURE = /%[+\- ]?G|%\(\*?signature|^(?:--sort=)?-?(?:v:|version:)?\*?signature(?::|$)/

/**
 * Compares the words behind a reader's name with its lists. Options are read as the program reads them: glued values,
 * letters that share a dash, `=`. An abbreviation is no option here, a `--` is never a value, and neither is what
 * begins with a dash, but for `-` alone and numbers.
 * @returns why they are not certainly harmless: a clause
 */
export function readerProblem({ reader, name }: FoundReader, words: readonly ShellWord[]): string | undefined {
  const { syntax, operand, operands = Infinity } = reader
  if (syntax === 'words') return undefined
  const lists = optionLists(reader)
  const isGit = name.startsWith('git ')
  let count = 0
  let isOver = false
  for (let index = 0; index < words.length; index++) {
    const { text, shape } = words[index]!
    if (isGit && SIGNATURE.test(shape)) return `${text} checks signatures with another program`
    if (!isOver && shape === '--' && syntax !== 'expression') {
      isOver = true
    } else if (isOver || shape === '-' || !shape.startsWith('-')) {
      if (isOver && isGit && shape.startsWith('-')) return `${text} begins with a dash behind "--"`
      if (syntax === 'expression' && lists.flags.has(shape)) continue
      if (operand !== undefined && !operand.test(shape)) return `${text} may do more than read`
      if (syntax === 'format') return undefined
      if (++count > operands) return `it is given more than ${operands === 0 ? 'options' : 'one file'}`
      // Some systems take each word behind the first operand for an operand.
      if (operands !== Infinity) isOver = true
    } else {
      const values = optionValues(lists, shape, syntax === 'expression')
      if (values === undefined) return `${text} is not known to only read`
      for (let left = values; left > 0; left--) {
        const value = words[++index]
        const isValue = value !== undefined && (syntax === 'expression' || /^(?!-)|^-(?:\d+)?$/.test(value.shape))
        const isCertain = isValue && value.shape !== '--' && (!isGit || value.literal !== undefined)
        if (!isCertain) return `${text} has no certain value`
      }
    }
  }
  return undefined
}

/** How many of the next words are the option's; undefined if it is not listed. */
function optionValues(
  { flags, values, pairs, optional }: OptionLists,
  word: string,
  isWhole: boolean,
): number | undefined {
  if (isWhole || word.startsWith('--')) {
    const option = /^--[\w-]+(?==)/.exec(word)?.[0]
    if (option !== undefined && !isWhole) return values.has(option) || optional.has(option) ? 0 : undefined
    if (flags.has(word) || optional.has(word)) return 0
    return values.has(word) ? 1 : pairs.has(word) ? 2 : undefined
  }
  if (/^-\d+$/.test(word) && flags.has('-#')) return 0
  for (let at = 1; at < word.length; at++) {
    const letter = `-${word[at]!}`
    if (optional.has(letter)) return 0
    if (values.has(letter)) return at + 1 < word.length ? 0 : 1
    if (!flags.has(letter)) return undefined
  }
  return 0
}
