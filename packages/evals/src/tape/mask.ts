import { maskWhole } from '@repertoire/core/internal'
import { homedir } from 'node:os'
import process from 'node:process'

/** Makes values fit for a tape, and restores what stands for a part of the current run. */
export interface TapeMask {
  /** Returns a text without secrets, home folders and what differs between runs. */
  text(text: string): string
  /** The same for every text of a JSON value. */
  value(value: unknown): unknown
  /** The same for a request, whose ids are numbered in their order. */
  request(body: unknown): unknown
  /** Returns an answer of the tape for the current run. */
  restore(text: string): string
  /** Whether a text holds a secret or a place of the run that `text` would take out. */
  hides(text: string): boolean
}

const SECRET_NAME = /(?:key|token|secret|password|credential|cookie)s?$/i
const MIN_SECRET = 8
const COOKIE = /\b((?:set-)?cookie\\*["']?\s{0,3}[:=]\s{0,3})[^\r\n"\\]+/gi
const ID_KEYS = new Set(
  'id call_id tool_call_id tool_use_id item_id previous_response_id response_id prompt_cache_key user session_id'.split(
    ' ',
  ),
)
/** What the model or a tool wrote: an id in it is data. */
const DATA_KEYS = new Set(['tools', 'args', 'arguments', 'parameters', 'response', 'schema'])

/**
 * Creates the mask of one run.
 * @param places what differs between runs, by name: the name in angle brackets stands for it
 * @param secrets values that never reach a tape, beside those of the environment and those of known shapes
 */
export function createMask(places: Readonly<Record<string, string>>, secrets: readonly string[]): TapeMask {
  const named = Object.entries(places).toSorted(([, one], [, other]) => other.length - one.length)
  const ofEnvironment = Object.entries(process.env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) ? value : [],
  )
  const known = [...secrets, ...ofEnvironment].filter((each) => each.length >= MIN_SECRET)
  const today = new Date()
  const iso = today.toISOString().slice(0, 10)
  const long = today.toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric' })
  const ids = new Map<string, string>()

  const hide = (text: string): string => {
    let hidden = text
    for (const secret of known) hidden = hidden.replaceAll(secret, '[redacted]')
    for (const [name, value] of named) hidden = hidden.replaceAll(value, `<${name}>`)
    return maskWhole(hidden.replaceAll(homedir(), '~').replace(COOKIE, '$1[redacted]'))
  }
  const text = (given: string): string =>
    hide(given)
      .replace(new RegExp(String.raw`${iso}T[\d:.]+(?:Z|[+-]\d\d:\d\d)?`, 'g'), '<now>')
      .replaceAll(iso, '<today>')
      .replaceAll(long, '<today-long>')
      .replaceAll(today.toDateString(), '<today-short>')
  const walk = (value: unknown, withIds: boolean): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map((each) => walk(each, withIds))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (withIds && typeof each === 'string' && ID_KEYS.has(key)) return [key, numbered(each)]
        const isData = DATA_KEYS.has(key) || (key === 'input' && !Array.isArray(each))
        return [key, walk(each, withIds && !isData)]
      }),
    )
  }
  const numbered = (id: string): string => {
    const number = ids.get(id) ?? `<id-${ids.size + 1}>`
    ids.set(id, number)
    return number
  }
  return {
    text,
    value: (value) => walk(value, false),
    request: (body) => walk(body, true),
    hides: (given) => hide(given) !== given,
    restore(given) {
      const restored = named.reduce((all, [name, value]) => all.replaceAll(`<${name}>`, value), given)
      return restored
        .replaceAll('<now>', today.toISOString())
        .replaceAll('<today>', iso)
        .replaceAll('<today-long>', long)
        .replaceAll('<today-short>', today.toDateString())
    },
  }
}
