import { maskWhole } from '@repertoire/core/internal'
import { homedir } from 'node:os'
import process from 'node:process'

/** Makes texts fit for a tape, and restores what stands for a part of the current run. */
export interface TapeMask {
  /** Returns a text without secrets, home folders and what differs between runs. */
  text(text: string): string
  /** The same for each text of a JSON value. */
  json(json: string): unknown
  /** Returns a text of the tape for the current run. */
  restore(text: string): string
  /** Whether events of a stream together hold what has to be masked, and none of them holds alone. */
  isSpread(stream: string): boolean
}

const SECRET_NAME = /(?:key|token|secret|password|credential|cookie)s?$/i
const MIN_SECRET = 8
const COOKIE = /\b((?:set-)?cookie\\*["']?\s{0,3}[:=]\s{0,3})[^\r\n"\\]+/gi

/**
 * Creates the mask of one run.
 * @param places what differs between runs, by name: the name in angle brackets stands for it
 * @param key of the provider. It never reaches a tape, nor do secrets of the environment and those of known shapes.
 */
export function createMask(places: Readonly<Record<string, string>>, key = ''): TapeMask {
  const named = Object.entries(places).toSorted(([, one], [, other]) => other.length - one.length)
  const secretNames = Object.keys(process.env).filter((name) => SECRET_NAME.test(name))
  const secrets = [key, ...secretNames.map((name) => process.env[name] ?? '')].filter(
    (each) => each.length >= MIN_SECRET,
  )
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
  return {
    text,
    json: (json) => JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? text(value) : value)),
    restore(given) {
      const dated = given.replaceAll('<now>', now).replaceAll('<today>', today)
      return named.reduce((all, [name, value]) => all.replaceAll(`<${name}>`, value), dated)
    },
    isSpread(stream) {
      const joined = new Map<string, string>()
      for (const [, event] of stream.matchAll(/^data:\s*(\{.*\})\s*$/gm)) {
        JSON.parse(event!, (name, value: unknown) => {
          if (typeof value === 'string') joined.set(name, (joined.get(name) ?? '') + text(value))
          return value
        })
      }
      return [...joined.values()].some((all) => hide(all) !== all)
    },
  }
}
