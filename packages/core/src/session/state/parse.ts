import { SkillError, type ToolRule, type Layer } from '@repertoire/skill-md/internal'
import type { Mount } from '@repertoire/gate/internal'
import type { SummaryRecord } from '../../window/record.ts'
import type { ActiveSkill, Grant, OpenRequest, SessionChange, SessionState, StoredMark } from './state.ts'

const LAYERS: ReadonlySet<unknown> = new Set<Layer>(['enterprise', 'personal', 'project', 'plugin', 'bundled'])

/** More than any session has (32 KiB of frontmatter hold 16,000 rules); a longer list was not made by one. */
const MAX_ENTRIES = 20_000

/**
 * Reads a foreign value as a session's state, copying only what belongs to one, in a fixed order of properties.
 * @throws {SkillError} STATE_INVALID, naming the first part that is wrong
 */
export function parseState(value: unknown): SessionState {
  return readOrRefuse(
    () => sessionState(value),
    (problem) => `A saved session is invalid: ${problem}. Pass what \`session.save()\` returned, unchanged.`,
  )
}

/**
 * Reads a foreign value as the changes of a session, copying only what belongs to a change. A change of an unknown type
 * is one of a later version: it is left out, since it would change nothing.
 * @throws {SkillError} STATE_INVALID, naming the first part that is wrong
 */
export function parseChanges(value: unknown): readonly SessionChange[] {
  return readOrRefuse(
    () => sessionChanges(value),
    (problem) =>
      `The changes of a session are invalid: ${problem}. Pass what \`session.takeChanges()\` returned, unchanged.`,
  )
}

function sessionState(value: unknown): SessionState {
  const state = object(value, 'state')
  const { version } = state
  if (typeof version === 'number' && version !== 1) {
    throw new SkillError(
      'STATE_INVALID',
      `The saved session is of another version of Repertoire: its state has the version ${version}, and this one reads 1. Open a new session instead, or resume it where it was saved.`,
    )
  }
  if (version !== 1) throw new InvalidPart('state.version', 'must be 1')
  return {
    version: 1,
    id: text(state['id'], 'state.id'),
    ...(state['correlationId'] !== undefined && { correlationId: text(state['correlationId'], 'state.correlationId') }),
    active: list(state['active'], 'state.active', activeSkill),
    granted: list(state['granted'], 'state.granted', grant),
    open: list(state['open'], 'state.open', openRequest),
    ...(state['summary'] !== undefined && { summary: summary(state['summary'], 'state.summary') }),
    ...(state['matched'] !== undefined && { matched: list(state['matched'], 'state.matched', text) }),
    ...(state['used'] !== undefined && { used: list(state['used'], 'state.used', text) }),
    ...(state['stored'] !== undefined && { stored: storedMark(state['stored'], 'state.stored') }),
    ended: flag(state['ended'], 'state.ended'),
  }
}

function sessionChanges(value: unknown): readonly SessionChange[] {
  if (!Array.isArray(value)) throw new InvalidPart('changes', 'must be a list')
  return ownList(value, 'changes', change).filter((each) => each !== undefined)
}

function change(value: unknown, at: string): SessionChange | undefined {
  const it = object(value, at)
  const type = text(it['type'], `${at}.type`) as SessionChange['type']
  const id = (): string => text(it['id'], `${at}.id`)
  switch (type) {
    case 'opened': {
      const { correlationId } = it
      const carried = correlationId !== undefined && { correlationId: text(correlationId, `${at}.correlationId`) }
      return { type, id: id(), ...carried }
    }
    case 'asked':
      return { type, request: openRequest(it['request'], `${at}.request`) }
    case 'answered': {
      const { approved, reason } = it
      const said = reason !== undefined && { reason: text(reason, `${at}.reason`) }
      return { type, id: id(), approved: flag(approved, `${at}.approved`), ...said }
    }
    case 'settled':
      return { type, id: id() }
    case 'used':
      return { type, id: id() }
    case 'granted':
      return { type, grant: grant(it['grant'], `${at}.grant`) }
    case 'activated':
      return { type, skill: activeSkill(it['skill'], `${at}.skill`) }
    case 'passed':
      return { type, name: text(it['name'], `${at}.name`), args: text(it['args'], `${at}.args`) }
    case 'deactivated':
      return { type, name: text(it['name'], `${at}.name`) }
    case 'summarized':
      return { type, summary: summary(it['summary'], `${at}.summary`) }
    case 'forgotten':
      return { type, digest: text(it['digest'], `${at}.digest`) }
    case 'matched':
      return { type, names: list(it['names'], `${at}.names`, text) }
    case 'stored':
      return { type, mark: storedMark(it['mark'], `${at}.mark`) }
    case 'ended':
      return { type }
    default:
      return undefined
  }
}

function shownMode(value: unknown, at: string): NonNullable<ActiveSkill['shownMode']> {
  if (value === 'preapprove' || value === 'advisory') return value
  throw new InvalidPart(at, 'must be "preapprove" or "advisory"')
}

function activeSkill(value: unknown, at: string): ActiveSkill {
  const skill = object(value, at)
  const layer = skill['layer']
  if (!LAYERS.has(layer)) throw new InvalidPart(`${at}.layer`, 'must be a layer')
  return {
    name: text(skill['name'], `${at}.name`),
    layer: layer as Layer,
    source: text(skill['source'], `${at}.source`),
    location: text(skill['location'], `${at}.location`),
    ...(skill['alias'] !== undefined && { alias: text(skill['alias'], `${at}.alias`) }),
    digest: text(skill['digest'], `${at}.digest`),
    ...(skill['rules'] !== undefined && { rules: list(skill['rules'], `${at}.rules`, rule) }),
    ...(skill['assumed'] !== undefined && { assumed: literalTrue(skill['assumed'], `${at}.assumed`) }),
    ...(skill['denied'] !== undefined && { denied: list(skill['denied'], `${at}.denied`, rule) }),
    ...(skill['shownRules'] !== undefined && { shownRules: list(skill['shownRules'], `${at}.shownRules`, text) }),
    ...(skill['shownDenied'] !== undefined && { shownDenied: list(skill['shownDenied'], `${at}.shownDenied`, text) }),
    ...(skill['shownMode'] !== undefined && { shownMode: shownMode(skill['shownMode'], `${at}.shownMode`) }),
    scripts: list(skill['scripts'], `${at}.scripts`, text),
    ...(skill['args'] !== undefined && { args: text(skill['args'], `${at}.args`) }),
    ...(skill['laterArgs'] !== undefined && { laterArgs: text(skill['laterArgs'], `${at}.laterArgs`) }),
    ...(skill['model'] !== undefined && { model: text(skill['model'], `${at}.model`) }),
    ...(skill['since'] !== undefined && { since: time(skill['since'], `${at}.since`) }),
    ...(skill['mount'] !== undefined && { mount: mount(skill['mount'], `${at}.mount`) }),
    ...(skill['runner'] !== undefined && { runner: text(skill['runner'], `${at}.runner`) }),
    ...(skill['post'] !== undefined && { post: list(skill['post'], `${at}.post`, text) }),
    ...(skill['toolsets'] !== undefined && { toolsets: list(skill['toolsets'], `${at}.toolsets`, text) }),
    ...(skill['inherited'] !== undefined && { inherited: literalTrue(skill['inherited'], `${at}.inherited`) }),
    ...(skill['forked'] !== undefined && { forked: literalTrue(skill['forked'], `${at}.forked`) }),
  }
}

function mount(value: unknown, at: string): Mount {
  const { path, location } = object(value, at)
  return { path: text(path, `${at}.path`), location: text(location, `${at}.location`) }
}

function rule(value: unknown, at: string): ToolRule {
  const { tool, pattern } = object(value, at)
  return { tool: text(tool, `${at}.tool`), ...(pattern !== undefined && { pattern: text(pattern, `${at}.pattern`) }) }
}

function grant(value: unknown, at: string): Grant {
  const { skill, source, digest, runner, preapproves } = object(value, at)
  return {
    skill: text(skill, `${at}.skill`),
    source: text(source, `${at}.source`),
    digest: text(digest, `${at}.digest`),
    ...(runner !== undefined && { runner: text(runner, `${at}.runner`) }),
    ...(preapproves !== undefined && { preapproves: literalTrue(preapproves, `${at}.preapproves`) }),
  }
}

function openRequest(value: unknown, at: string): OpenRequest {
  const { id, callId, approved, reason } = object(value, at)
  return {
    id: text(id, `${at}.id`),
    callId: text(callId, `${at}.callId`),
    ...(approved !== undefined && { approved: flag(approved, `${at}.approved`) }),
    ...(reason !== undefined && { reason: text(reason, `${at}.reason`) }),
  }
}

function summary(value: unknown, at: string): SummaryRecord {
  const record = object(value, at)
  return {
    text: text(record['text'], `${at}.text`),
    covers: count(record['covers'], `${at}.covers`),
    digest: text(record['digest'], `${at}.digest`),
    ...(record['shown'] !== undefined && { shown: count(record['shown'], `${at}.shown`) }),
  }
}

function storedMark(value: unknown, at: string): StoredMark {
  const { tenant, version, expires } = object(value, at)
  return {
    tenant: text(tenant, `${at}.tenant`),
    version: count(version, `${at}.version`),
    expires: time(expires, `${at}.expires`),
  }
}

function object(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidPart(at, 'must be an object')
  return value as Readonly<Record<string, unknown>>
}

function list<T>(value: unknown, at: string, item: (value: unknown, at: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw new InvalidPart(at, 'must be a list')
  if (value.length > MAX_ENTRIES) throw new InvalidPart(at, `must have at most ${MAX_ENTRIES} entries`)
  return ownList(value, at, item)
}

/** Not by `map`, which is the value's own: it leaves out what a list with holes lacks, and a subclass makes another list. */
function ownList<T>(value: readonly unknown[], at: string, item: (value: unknown, at: string) => T): readonly T[] {
  const copy: T[] = []
  for (let index = 0; index < value.length; index++) copy.push(item(value[index], `${at}[${index}]`))
  return copy
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
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new InvalidPart(at, 'must be a whole number, 0 or more')
  }
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

function readOrRefuse<T>(read: () => T, message: (problem: string) => string): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error
    throw new SkillError('STATE_INVALID', message(error.message))
  }
}
