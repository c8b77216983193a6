import { SkillError, type ToolRule, type Layer } from '@repertoire/skill-md/internal'
import type { Mount } from '../../ports/mount.ts'
import type { SummaryRecord } from '../../window/record.ts'
import type { ActiveSkill, Grant, OpenRequest, SessionState, StoredMark } from './state.ts'

/** More than any session has (32 KiB of frontmatter hold 16,000 rules); a longer list was not made by one. */
const MAX_ENTRIES = 20_000

/** Reads a foreign value that stands at a place. @throws {InvalidPart} it is not what belongs there */
type Read<T> = (value: unknown, at: string) => T

type Fields<T> = {
  readonly [Name in keyof T]-?: undefined extends T[Name]
    ? { readonly optional: Read<Exclude<T[Name], undefined>> }
    : Read<T[Name]>
}

const rule = object<ToolRule>({ tool: text, pattern: { optional: text } })

const activeSkill = object<ActiveSkill>({
  name: text,
  layer: oneOf<Layer>('a layer', ['enterprise', 'personal', 'project', 'plugin', 'bundled']),
  source: text,
  location: text,
  alias: { optional: text },
  digest: text,
  rules: { optional: list(rule) },
  assumed: { optional: literalTrue },
  denied: { optional: list(rule) },
  shownRules: { optional: list(text) },
  shownDenied: { optional: list(text) },
  shownMode: { optional: oneOf('"preapprove" or "advisory"', ['preapprove', 'advisory']) },
  scripts: list(text),
  args: { optional: text },
  model: { optional: text },
  since: { optional: time },
  mount: { optional: object<Mount>({ path: text, location: text }) },
  runner: { optional: text },
  post: { optional: list(text) },
  toolsets: { optional: list(text) },
  inherited: { optional: literalTrue },
  forked: { optional: literalTrue },
})

const grant = object<Grant>({
  skill: text,
  source: text,
  digest: text,
  runner: { optional: text },
  preapproves: { optional: literalTrue },
})

const openRequest = object<OpenRequest>({
  id: text,
  callId: text,
  about: { optional: oneOf('"skill" or "call"', ['skill', 'call']) },
  digest: { optional: text },
  approved: { optional: flag },
  reason: { optional: text },
})

const summary = object<SummaryRecord>({ text, covers: count, digest: text, shown: { optional: count } })

const storedMark = object<StoredMark>({ tenant: text, version: count, expires: time })

const sessionState = object<SessionState>({
  version: oneOf('1', [1]),
  id: text,
  correlationId: { optional: text },
  tenant: { optional: text },
  active: list(activeSkill),
  guided: { optional: literalTrue },
  granted: list(grant),
  open: list(openRequest),
  summary: { optional: summary },
  steps: { optional: count },
  matched: { optional: list(text) },
  used: { optional: list(text) },
  stored: { optional: storedMark },
  ended: flag,
})

/**
 * Reads a foreign value as a session's state, copying only what belongs to one, in a fixed order of properties.
 * @throws {SkillError} STATE_INVALID, naming the first part that is wrong
 */
export function parseState(value: unknown): SessionState {
  try {
    return sessionState(value, 'state')
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error
    const message = `A saved session is invalid: ${error.message}. Pass what \`session.save()\` returned, unchanged.`
    throw new SkillError('STATE_INVALID', message)
  }
}

function object<T>(fields: Fields<T>): Read<T> {
  const readers = Object.entries(fields) as readonly [string, Read<unknown> | { readonly optional: Read<unknown> }][]
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InvalidPart(at, 'must be an object')
    const copy: Record<string, unknown> = {}
    for (const [name, reader] of readers) {
      const property = (value as Readonly<Record<string, unknown>>)[name]
      if (typeof reader === 'function') copy[name] = reader(property, `${at}.${name}`)
      else if (property !== undefined) copy[name] = reader.optional(property, `${at}.${name}`)
    }
    return copy as T
  }
}

function list<T>(item: Read<T>): Read<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new InvalidPart(at, 'must be a list')
    if (value.length > MAX_ENTRIES) throw new InvalidPart(at, `must have at most ${MAX_ENTRIES} entries`)
    // Not by `map`, which is the value's own: it leaves out what a list with holes lacks.
    const copy: T[] = []
    for (let index = 0; index < value.length; index++) copy.push(item(value[index], `${at}[${index}]`))
    return copy
  }
}

function oneOf<T extends string | number>(what: string, values: readonly T[]): Read<T> {
  return (value, at) => {
    if (!values.includes(value as T)) throw new InvalidPart(at, `must be ${what}`)
    return value as T
  }
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new InvalidPart(at, 'must be a string')
  return value
}

function time(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InvalidPart(at, 'must be a number')
  return value
}

function count(value: unknown, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new InvalidPart(at, 'must be a whole number, 0 or more')
  return value as number
}

function flag(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw new InvalidPart(at, 'must be true or false')
  return value
}

function literalTrue(value: unknown, at: string): true {
  if (value !== true) throw new InvalidPart(at, 'must be true or absent')
  return value
}

/** A part of a value that is not as it must be. */
class InvalidPart extends Error {
  constructor(at: string, demand: string) {
    super(`${at} ${demand}`)
  }
}
