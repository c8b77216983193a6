import { showInvisible } from '@repertoire/skill-md/internal'
import { redactWords } from './command-words.ts'
import { READERS, REDACTED, isAuth, isPairValue, isSecretName, isSecretPair, secretItems } from './secret-names.ts'
import { withoutSecrets } from './secrets.ts'

/** Characters of a text in an event. */
const MAX_TEXT_CHARS = 4_000

/** Characters that are searched for secrets beside those that are shown: otherwise half of one could be. */
const MORE_SEARCHED_CHARS = 12_000

/** A cut removes the word that it falls into: it could be part of a secret. */
const MAX_WORD_CHARS = 512

/** Removing secrets can make the rest look like one: two rounds are enough for nearly every text. */
const MAX_ROUNDS = 8

/**
 * A text as an event may hold it: secrets of known shapes taken out, control characters and line breaks visible, and cut.
 * Doing it twice is doing it once.
 * @param most characters that are shown. Default 4,000
 */
export function redactText(text: string, most: number = MAX_TEXT_CHARS): string {
  let shown = head(text, most + MORE_SEARCHED_CHARS)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = cut(showInvisible(withoutSecrets(shown)).toWellFormed(), most)
    if (next === shown) return next
    shown = next
  }
  return REDACTED
}

function head(text: string, searched: number): string {
  if (text.length <= searched) return text
  const last = text.slice(searched - MAX_WORD_CHARS, searched).search(/[^\w.~+/=-][\w.~+/=-]*$/)
  return `${text.slice(0, searched - MAX_WORD_CHARS + Math.max(last, 0))}…`
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Levels, entries of one object or list, and values altogether of an input in an event. */
const MAX = { levels: 8, entries: 50, values: 500 }

/**
 * A value as an event may hold it: plain JSON, every text redacted, and the value under a secret's name removed
 * whole. Deep, long and large ones are cut, and say so. Never throws, whatever the value is.
 * @param text makes a text fit for an event
 */
export function redactValue(value: unknown, text: (text: string) => string = redactText): unknown {
  let values = 0
  const visit = (item: unknown, level: number, program?: string): unknown => {
    if (++values > MAX.values) return '…'
    if (typeof item === 'string') return text(item)
    if (typeof item === 'number') return Number.isFinite(item) ? item : String(item)
    if (typeof item === 'boolean' || item === null) return item
    if (typeof item !== 'object') return `[${typeof item}]`
    if (level >= MAX.levels) return '…'
    if (Array.isArray(item)) {
      const { kept, more } = fewer(item as readonly unknown[])
      const shown = redactItems(kept, program).map((entry) => visit(entry, level + 1))
      return more > 0 ? [...shown, `… ${more} more`] : shown
    }
    const { kept, more } = fewer(Object.entries(item).filter(([, entry]) => entry !== undefined))
    const entries = [...kept, ...(more > 0 ? [['…', `${more} more`] as const] : [])]
    const isPair = isSecretPair(kept)
    const runs = programIn(kept)
    const feedsSecret = READS_SECRET.test(kept.map(([, entry]) => lineOf(entry)).join(' '))
    const isSecret = (name: string, entry: unknown): boolean =>
      isSecretName(name) ||
      (isPair && isPairValue(name)) ||
      isAuth(name, entry) ||
      (feedsSecret && INPUT_NAME.test(name))
    return Object.fromEntries(
      entries.map(([name, entry]) => [
        text(name),
        isSecret(name, entry)
          ? hidden(name, entry)
          : visit(entry, level + 1, ARGUMENTS_NAME.test(name) ? runs : undefined),
      ]),
    )
  }
  try {
    return visit(value, 0)
  } catch {
    return '[unreadable]'
  }
}

/** Characters of a list of words that is searched as a command line too: for secrets that stand by their position. */
const MAX_LINE_CHARS = 2_000

/**
 * Returns a list without the secrets in it that other items give away. The words of a command are one:
 * `["mysql", "-p…"]`, `["curl", "-u", "a:…"]`.
 */
function redactItems(items: readonly unknown[], program?: string): readonly unknown[] {
  const known = secretItems(items)
  const shown = items.map((item, index) => (known[index] === true ? REDACTED : item))
  if (!shown.every((item) => typeof item === 'string')) return shown
  if (program === undefined && (!/^\S+$/.test(shown[0] ?? '') || shown.some((word) => word.startsWith('-----'))))
    return shown
  const words = redactWords(program === undefined ? shown : [program, ...shown])
  const first = program === undefined ? 0 : 1
  if (words.reduce((sum, word) => sum + word.length + 1, 0) > MAX_LINE_CHARS) return words.slice(first)
  return words.slice(first).map((word, index) => {
    const at = index + first
    if (at === 0 || word === '' || word.includes(REDACTED)) return word
    const line = words.slice(0, at + 1).join(' ')
    const clean = withoutSecrets(line)
    // What is found in the word alone is removed there.
    return clean !== line && !clean.endsWith(` ${word}`) && withoutSecrets(word) === word ? REDACTED : word
  })
}

/** The names of what is run, and of the words it is run with, in an object that describes a command. */
const PROGRAM_NAME = /^(?:program|command|cmd|executable|exe|exec|binary|bin|file|path|name|tool)$/i
const ARGUMENTS_NAME = /^(?:args?|argv|arguments|params|parameters|options|flags)$/i

/** The name of what a program is given to read. */
const INPUT_NAME = /^(?:stdin|input)$/i
/** A command that reads a password from its input. */
const READS_SECRET = new RegExp(READERS)

function lineOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(' ')
  return typeof value === 'string' ? value : ''
}

/** Returns the program of an object that describes a command: `{ program: 'mysql', args: […] }`. */
function programIn(entries: readonly (readonly [name: string, value: unknown])[]): string | undefined {
  const named = entries.find(([name, value]) => PROGRAM_NAME.test(name) && typeof value === 'string')
  return named?.[1] as string | undefined
}

// How many tokens there may be is not a secret, but a pass code may be a number.
function hidden(name: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && /tokens?$|^pass$/i.test(name)) return value
  return REDACTED
}

function fewer<T>(items: readonly T[]): { readonly kept: readonly T[]; readonly more: number } {
  if (items.length <= MAX.entries) return { kept: items, more: 0 }
  return { kept: items.slice(0, MAX.entries - 1), more: items.length - MAX.entries + 1 }
}
