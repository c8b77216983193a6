import { maskWhole } from '@repertoire/core/internal'
import { isObject } from '@repertoire/skill-md/internal'
import { homedir } from 'node:os'
import process from 'node:process'

const SECRET_VARIABLE = /(?:key|token|secret|password|credential|cookie)s?$/i
const SECRET_FIELD = /(?:api[-_]?key|token|secret|password|credential|cookie|authorization)s?$/i
const MIN_SECRET = 8
// A list of cookies ends with its last quotation mark, and one cookie with the next.
const COOKIE =
  /\b((?:set-)?cookies?\\*["']?\s?[:=][\s[]{0,9}\\*["']?)(?:(?<=\[\s*\\*["'])[^\]]{1,2000}?(?=\\*["']\s*\])|[^\r\n"\\]+)/gi

/**
 * Creates what makes texts fit for the tape of one run, and restores them for another run.
 * @param places what differs between runs, by name: replaced by the name in angle brackets
 * @param key of the provider. It never reaches a tape, nor do secrets of the environment and those of known shapes.
 */
export function createMask(places: Readonly<Record<string, string>>, key: string) {
  const named = Object.entries(places).toSorted(([, one], [, other]) => other.length - one.length)
  const variables = Object.entries(process.env).map(([name, value = '']) => (SECRET_VARIABLE.test(name) ? value : ''))
  const secrets = [key, ...variables].filter(({ length }) => length >= MIN_SECRET).flatMap(spellings)
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  const time = new RegExp(String.raw`${today}T[\d:.]+(?:Z|[+-]\d\d:\d\d)?`, 'g')

  const hide = (text: string): string => {
    let hidden = text
    for (const secret of secrets) hidden = hidden.replaceAll(secret, '[redacted]')
    for (const [name, value] of named) hidden = hidden.replaceAll(value, `<${name}>`)
    return maskWhole(hidden.replaceAll(homedir(), '~').replace(COOKIE, '$1[redacted]'))
  }
  const text = (given: string): string => hide(given).replace(time, '<now>').replaceAll(today, '<today>')
  const restore = (given: string): string => {
    const dated = given.replaceAll('<now>', now).replaceAll('<today>', today)
    return named.reduce((all, [name, value]) => all.replaceAll(`<${name}>`, value), dated)
  }
  const isSpread = (stream: string): boolean => {
    const joined = new Map<string, string>()
    for (const [, event] of stream.matchAll(/^data:\s*(\{.*\})\s*$/gm)) {
      JSON.parse(event!, (name, value: unknown) => {
        if (typeof value === 'string') joined.set(name, (joined.get(name) ?? '') + text(value))
        return value
      })
    }
    return [...joined.values()].some((all) => hide(all) !== all)
  }
  return {
    text,
    /** Returns a JSON value with each text and key masked, and each text under the name of a secret. */
    value(value: unknown): unknown {
      if (typeof value === 'string' && isSpread(value)) {
        throw new Error('a secret or a path of the run is spread over several events, and cannot be masked')
      }
      return mapTexts(value, (each, field) => (SECRET_FIELD.test(field) ? '[redacted]' : text(each)))
    },
    restored: (value: unknown) => mapTexts(value, restore),
  }
}

/** Returns a secret as it is, in URLs, and as what Base64 makes of it at each place of a longer text. */
function spellings(secret: string): readonly string[] {
  const inBase64 = (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const bytes = Buffer.from(' '.repeat(before) + secret)
      return bytes.toString(encoding).slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    }),
  )
  return [secret, encodeURIComponent(secret), ...inBase64]
}

/** Returns a JSON value with other texts and keys. @param change is given the key above a text */
function mapTexts(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(value, field)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, field))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key, ''), mapTexts(each, change, key)]))
}
