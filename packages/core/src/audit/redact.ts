import { showInvisible } from '@repertoire/skill-md/internal'
import { KNOWN_TOKENS } from './known-tokens.ts'

export const REDACTED = '[redacted]'

const MAX_TEXT_CHARS = 4_000

/** Characters that are searched beside those that are shown, for a secret that the cut would halve. */
const MORE_SEARCHED_CHARS = 4_000

/** The end of a name whose value is a secret: `DB_PASSWORD`, `clientSecret`, `x-api-key`. */
const NAMES =
  'pass[_-]?word|passwd|pass[_-]?phrase|pwd|secret|token|credentials?|' +
  '(?:api|access|account|auth|private|secret|shared|signing|encryption|master)[_-]?key'

const SECRET_NAME = new RegExp(`(?:${NAMES}|authorization)$`, 'i')

/** A value in quotes, in escaped ones (JSON inside a string), or without. */
const QUOTED = String.raw`(?<escape>\\+)"(?:(?!(?<!\\)\k<escape>").)*(?:\k<escape>")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?`
const VALUE = String.raw`(${QUOTED}|[^\s"'\\,;&<>(){}[\]]+)`

/** A placeholder for a value in code, or a word that describes it. */
const NO_VALUE = String.raw`(?!(?:true|false|null|none|undefined|string|boolean|number)\b)`

/** The shapes, with what replaces them. The widest comes first, so that no part of one is left. */
const SHAPES: readonly (readonly [RegExp, (all: string, before: string, value: string) => string])[] = [
  // To the end of the text where the end of the key is missing.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    () => REDACTED,
  ],
  [
    /(\bauthorization\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?)(?:[A-Za-z][\w-]{0,30}\s{1,3}(?=\S))?[^\s"'\\,;&<>(){}[\]]+/gi,
    (_all, before) => before + REDACTED,
  ],
  // The last "@" before the path: a password may hold one.
  [
    /\b([a-z][a-z0-9+.-]{1,30}:\/\/[^\s/?#"'<>:@]{0,200}:)([^\s/?#"'<>]{1,400})(?=@)/gi,
    (_all, before) => before + REDACTED,
  ],
  [
    new RegExp(String.raw`((?:${NAMES})\\*["']?\s{0,3}(?:=>|[:=])\s{0,3})${NO_VALUE}${VALUE}`, 'gi'),
    (_all, before, value) => before + inQuotesOf(value),
  ],
  [
    new RegExp(String.raw`((?<![\w-])--?[\w-]{0,40}(?:${NAMES})\s{1,3})(?!-)${VALUE}`, 'gi'),
    (_all, before, value) => before + inQuotesOf(value),
  ],
  // JSON Web Tokens and their encrypted kind.
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){2,4}/g, () => REDACTED],
  [new RegExp(String.raw`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS.join('|')})`, 'g'), () => REDACTED],
]

/** Whether the value under a name in an object is a secret: `apiKey`, `DB_PASSWORD`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/**
 * Returns a text as an event may hold it: without secrets of known shapes, with control characters and line breaks made
 * visible, and cut.
 * @param most characters that are shown. Default 4,000
 */
export function redactText(text: string, most: number = MAX_TEXT_CHARS): string {
  return cut(visibleText(withoutSecrets(headOf(text, most + MORE_SEARCHED_CHARS))), most)
}

/** Returns a text with secrets of known shapes removed, and otherwise unchanged. */
export function withoutSecrets(text: string): string {
  return SHAPES.reduce((clean, [shape, by]) => clean.replace(shape, by), text)
}

/** Returns a text with its control characters, line breaks and lone surrogates made visible. */
export function visibleText(text: string): string {
  return showInvisible(text).toWellFormed()
}

/** The beginning of a text. The word that the end falls into is left out: it could be half of a secret. */
function headOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/\S*$/, '')}…`
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function inQuotesOf(value: string): string {
  const [quote] = /^(?:\\*["'])?/.exec(value)!
  return `${quote}${REDACTED}${quote}`
}

/** Levels, entries of one object or list, and values altogether of an input in an event. */
const MAX = { levels: 8, entries: 50, values: 500 }

/**
 * Returns a value as an event may hold it: plain JSON, every text redacted, and the value under a secret's name removed
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
      const shown = kept.map((entry) => visit(entry, level + 1))
      return more > 0 ? [...shown, `… ${more} more`] : shown
    }
    const { kept, more } = fewer(Object.entries(item).filter(([, entry]) => entry !== undefined))
    const shown = kept.map(([name, entry]) => [
      text(name),
      isSecretName(name) && isHideable(entry) ? REDACTED : visit(entry, level + 1),
    ])
    return Object.fromEntries(more > 0 ? [...shown, ['…', `${more} more`]] : shown)
  }
  try {
    return visit(value, 0)
  } catch {
    return '[unreadable]'
  }
}

/** A number is a count: of tokens, mostly. */
function isHideable(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

function fewer<T>(items: readonly T[]): { readonly kept: readonly T[]; readonly more: number } {
  if (items.length <= MAX.entries) return { kept: items, more: 0 }
  return { kept: items.slice(0, MAX.entries - 1), more: items.length - MAX.entries + 1 }
}
