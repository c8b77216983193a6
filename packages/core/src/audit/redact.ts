import { showInvisible } from '../text/escape.ts'
import { isPairValue, isRegistryAuth, isSecretName, isSecretPair, secretItems } from './secret-names.ts'
import { REDACTED } from './secret-value.ts'
import { withoutSecrets } from './secrets.ts'

/** Characters of a text in an event. */
const MAX_TEXT_CHARS = 4_000

/** Characters of a text that are searched for secrets: more than are shown, or half of one could be. */
const MAX_SEARCHED_CHARS = 16_000

/** A cut removes the word that it falls into: it could be part of a secret. */
const MAX_WORD_CHARS = 512

/** Removing secrets can make the rest look like one: two rounds are enough for nearly every text. */
const MAX_ROUNDS = 8

/**
 * A text as an event may hold it: secrets of known shapes taken out, control characters and line breaks visible, cut at
 * 4,000 characters. Doing it twice is doing it once.
 */
export function redactText(text: string): string {
  let shown = head(text)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = cut(showInvisible(withoutSecrets(shown)).toWellFormed())
    if (next === shown) return next
    shown = next
  }
  return REDACTED
}

function head(text: string): string {
  if (text.length <= MAX_SEARCHED_CHARS) return text
  const last = text.slice(MAX_SEARCHED_CHARS - MAX_WORD_CHARS, MAX_SEARCHED_CHARS).search(/[^\w.~+/=-][\w.~+/=-]*$/)
  return `${text.slice(0, MAX_SEARCHED_CHARS - MAX_WORD_CHARS + Math.max(last, 0))}…`
}

function cut(text: string): string {
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS - 1)}…` : text
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
  const visit = (item: unknown, level: number): unknown => {
    if (++values > MAX.values) return '…'
    if (typeof item === 'string') return text(item)
    if (typeof item === 'number') return Number.isFinite(item) ? item : String(item)
    if (typeof item === 'boolean' || item === null) return item
    if (typeof item !== 'object') return `[${typeof item}]`
    if (level >= MAX.levels) return '…'
    if (Array.isArray(item)) {
      const { kept, more } = fewer(item as readonly unknown[])
      const secret = secretArguments(kept, secretItems(kept))
      const shown = kept.map((entry, index) => (secret[index] === true ? REDACTED : visit(entry, level + 1)))
      return more > 0 ? [...shown, `… ${more} more`] : shown
    }
    const { kept, more } = fewer(Object.entries(item).filter(([, entry]) => entry !== undefined))
    const entries = [...kept, ...(more > 0 ? [['…', `${more} more`] as const] : [])]
    const isPair = isSecretPair(kept)
    const isSecret = (name: string, entry: unknown): boolean =>
      isSecretName(name) || (isPair && isPairValue(name)) || isRegistryAuth(name, entry)
    return Object.fromEntries(
      entries.map(([name, entry]) => [
        text(name),
        isSecret(name, entry) ? hidden(name, entry) : visit(entry, level + 1),
      ]),
    )
  }
  try {
    return visit(value, 0)
  } catch {
    return '[unreadable]'
  }
}

/** Words and characters of a list that may be a command line. */
const MAX_ARGUMENTS = { words: 30, chars: 2_000 }

/** Returns which items are secrets where the list is the words of a command: `["mysql", "-p…"]`, `["curl", "-u", "a:…"]`. */
function secretArguments(items: readonly unknown[], known: readonly boolean[]): readonly boolean[] {
  const words = items.filter((item) => typeof item === 'string')
  const isCommand =
    words.length === items.length &&
    words.length <= MAX_ARGUMENTS.words &&
    words.reduce((sum, word) => sum + word.length + 1, 0) <= MAX_ARGUMENTS.chars &&
    words.some((word) => /^-[A-Za-z]/.test(word))
  if (!isCommand) return known
  return words.map((word, index) => {
    if (known[index] === true || index === 0 || word === '') return known[index] === true
    const shown = words.map((each, at) => (known[at] === true ? REDACTED : each))
    const line = shown.slice(0, index + 1).join(' ')
    const clean = withoutSecrets(line)
    // What is found in the word alone is removed there.
    return clean !== line && !clean.endsWith(` ${word}`) && withoutSecrets(word) === word
  })
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
