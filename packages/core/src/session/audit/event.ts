import type { AuditLog } from '../../audit/audit-log.ts'
import type {
  AuditedConsent,
  AuditedRun,
  AuditedSkill,
  AuditedWindow,
  AuditEvent,
  AuditEventType,
} from '../../audit/events.ts'
import type { ShownSkills } from '../../audit/shown-skills.ts'
import { inputDigest } from '../../audit/input-digest.ts'
import { redactValue } from '../../audit/redact.ts'
import { type Toolset, usesOfCall, type RefusalCode, type RefusedBy, type ToolCall } from '@repertoire/gate/internal'
import { formatRule } from '@repertoire/skill-md/internal'
import { sha256Of } from '../../text/hash.ts'
import { failureText } from '../refusal.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { AuditDraft, AuditedSession, NamedSkill } from './draft.ts'

/** The types of events of refusals; `tool.refused` for all others. */
export const REFUSAL_EVENTS: ReadonlyMap<RefusalCode, AuditEventType> = new Map<RefusalCode, AuditEventType>([
  ['TOOL_NOT_ALLOWED', 'restriction.violated'],
  ['SCRIPT_READ_BLOCKED', 'script_read.blocked'],
  ['RESOURCE_NOT_FOUND', 'resource.refused'],
  ['RESOURCE_REFUSED', 'resource.refused'],
  ['SKILL_NOT_FOUND', 'skill.denied'],
  ['SKILL_BROKEN', 'skill.denied'],
  ['SKILL_NOT_ADMITTED', 'skill.denied'],
  ['SKILL_NOT_INVOCABLE', 'skill.denied'],
  ['CONSENT_DENIED', 'skill.denied'],
  ['HOOK_FAILED', 'skill.denied'],
  ['HOOK_UNAVAILABLE', 'skill.denied'],
  ['MOUNT_FAILED', 'skill.denied'],
  ['TOOLSET_FAILED', 'skill.denied'],
  ['FORK_UNAVAILABLE', 'skill.denied'],
  ['FORK_TOO_DEEP', 'skill.denied'],
  ['PLAN_CYCLE', 'skill.denied'],
])

/** Rules of one skill that an event names. */
const MAX_RULES = 100

/** Entries of each list of what a step shows. */
const MAX_SHOWN = 500

/**
 * Creates a function that makes the events of one session. It remembers what began when, for the durations.
 * @returns makes a draft into an event, frozen and redacted; `model` is the name of the model that the event came from,
 * `tools` are those that the host had then
 */
export function createEventMaker(
  { now, text, repeated, prompt, inputs }: Pick<AuditLog, 'now' | 'text' | 'repeated' | 'prompt' | 'inputs'>,
  owner: AuditedSession,
): (draft: AuditDraft, model: string | undefined, tools: Toolset) => AuditEvent {
  const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  const identity = withoutAbsent({
    session: text(owner.session),
    correlationId: optional(owner.correlationId),
    agent: optional(owner.agent),
    tenant: optional(owner.tenant),
    environment: optional(owner.environment),
  }) as Pick<AuditEvent, 'session'>
  const skillsSeen = new WeakMap<NamedSkill, AuditedSkill>()
  const stacksSeen = new WeakMap<readonly ActiveSkill[], readonly AuditedSkill[]>()
  const activatingSince = new Map<string, number>()

  function eventOf(draft: AuditDraft, model: string | undefined, tools: Toolset): AuditEvent {
    const { type, outcome, active, call, skill, error, enforced = true, ...rest } = draft
    // The state says when a skill was activated: its event says the same.
    const at = (type === 'skill.activated' ? skill?.since : undefined) ?? now()
    const event = withoutAbsent({
      version: 1,
      type,
      time: new Date(at).toISOString(),
      ...identity,
      model: optional(model),
      callId: optional(call?.id ?? rest.callId),
      tool: optional(call?.tool),
      standsFor: call === undefined ? undefined : standsFor(call, tools),
      inputDigest: call === undefined ? undefined : inputDigest(call.input),
      input: call === undefined || inputs === 'none' ? undefined : redactValue(call.input, text),
      skill: skill === undefined ? undefined : auditedSkill(skill),
      skills: auditedStack(active),
      allowedTools: rest.allowedTools === undefined ? undefined : rules(rest.allowedTools),
      refusedBy: rest.refusedBy && refusedBy(rest.refusedBy),
      unmatchedTools:
        rest.unmatchedTools === undefined || rest.unmatchedTools.length === 0 ? undefined : rules(rest.unmatchedTools),
      script: script(rest.script),
      run: rest.run && auditedRun(rest.run),
      scriptRead: script(rest.scriptRead),
      missing: optional(rest.missing),
      path: optional(rest.path),
      found: rest.found?.map(text),
      hook: optional(rest.hook),
      usage: rest.usage,
      shown: rest.shown && shownSkills(rest.shown),
      consent: rest.consent && auditedConsent(rest.consent),
      window: rest.window && auditedWindow(rest.window),
      durationMs: rest.durationMs ?? durationOf(type, skill, at),
      endedBy: rest.endedBy,
      outcome,
      code: rest.code,
      reason: optional(rest.reason),
      error: error === undefined ? undefined : text(failureText(error)),
      enforced,
    })
    return deepFreeze(event) as unknown as AuditEvent
  }

  /** Notes when an activation begins. Returns how long took what ends with an event; undefined: nothing, or not known. */
  function durationOf(type: AuditEventType, skill: NamedSkill | undefined, at: number): number | undefined {
    if (skill === undefined) return undefined
    const { name } = skill
    if (type === 'skill.activating') activatingSince.set(name, at)
    // The beginning is in the state: the session may have been saved since, and opened in another process.
    if (type === 'skill.deactivated') return elapsed(skill.since, at)
    if (type !== 'skill.activated') return undefined
    const began = activatingSince.get(name)
    activatingSince.delete(name)
    return elapsed(began, at)
  }

  function script(named: AuditEvent['script']): AuditEvent['script'] {
    return named && { skill: text(named.skill), path: text(named.path) }
  }

  function refusedBy({ by, skill, rule }: RefusedBy): RefusedBy {
    return { by, ...(skill !== undefined && { skill: text(skill) }), ...(rule !== undefined && { rule: text(rule) }) }
  }

  function auditedWindow({ skills, ...measured }: AuditedWindow): AuditedWindow {
    return { ...measured, ...(skills !== undefined && { skills: skills.slice(0, MAX_RULES).map(text) }) }
  }

  function shownSkills({ step, tokens, text: system, ...lists }: NonNullable<AuditDraft['shown']>): ShownSkills {
    const lacks = Object.entries(lists).flatMap(([name, list]) =>
      list.length > MAX_SHOWN ? [[name, list.length - MAX_SHOWN] as const] : [],
    )
    return {
      step,
      skills: first(lists.skills).map((skill) => ({ ...skill, name: repeated(skill.name) })),
      left: first(lists.left).map(({ name, why, reason }) => ({ name: repeated(name), why, reason: repeated(reason) })),
      tools: first(lists.tools).map(repeated),
      ...(lists.withheld.length > 0 && {
        withheld: first(lists.withheld).map(({ tool, skill, reason }) => ({
          tool: repeated(tool),
          ...(skill !== undefined && { skill: repeated(skill) }),
          reason: repeated(reason),
        })),
      }),
      tokens,
      digest: sha256Of(system),
      ...(inputs !== 'none' && { text: prompt(system) }),
      ...(lacks.length > 0 && { more: Object.fromEntries(lacks) }),
    }
  }

  function auditedConsent({ text: asked, reason, ...consent }: AuditedConsent): AuditedConsent {
    return {
      ...consent,
      ...(asked !== undefined && inputs !== 'none' && { text: text(asked) }),
      ...(reason !== undefined && { reason: text(reason) }),
    }
  }

  function auditedRun(run: AuditedRun): AuditedRun {
    const { interpreter, runner, isolation, signal } = run
    return {
      ...run,
      interpreter: text(interpreter),
      runner: text(runner),
      isolation: text(isolation),
      ...(signal !== undefined && { signal: text(signal) }),
    }
  }

  function auditedStack(active: readonly ActiveSkill[]): readonly AuditedSkill[] {
    const known = stacksSeen.get(active)
    if (known !== undefined) return known
    const owners = ownersOf(owner.session, active)
    const skills = active.map((skill, index) => {
      const session = owners[index]
      return session === undefined ? auditedSkill(skill) : { ...auditedSkill(skill), session: text(session) }
    })
    stacksSeen.set(active, skills)
    return skills
  }

  function auditedSkill(skill: NamedSkill): AuditedSkill {
    const known = skillsSeen.get(skill)
    if (known !== undefined) return known
    const audited = withoutAbsent({
      name: text(skill.name),
      digest: skill.digest,
      layer: skill.layer,
      source: text(skill.source),
      allowedTools: skill.rules === undefined ? undefined : rules(skill.rules.slice(0, MAX_RULES + 1).map(formatRule)),
    }) as unknown as AuditedSkill
    skillsSeen.set(skill, audited)
    return audited
  }

  const rules = (all: readonly string[]): readonly string[] =>
    all.length > MAX_RULES ? [...all.slice(0, MAX_RULES - 1).map(text), '…'] : all.map(text)

  return eventOf
}

/**
 * Returns the session that each inherited skill of a stack was activated in. Skills of the outermost session come first,
 * those of a fork after the skill that it was made for; a fork's id is its parent's with one part more.
 */
function ownersOf(session: string, active: readonly ActiveSkill[]): readonly (string | undefined)[] {
  const ids = session.split('/')
  let levelsUp = 1 + active.filter(({ inherited, forked }) => inherited === true && forked === true).length
  return active.map(({ inherited, forked }) => {
    if (inherited !== true) return undefined
    if (forked === true) levelsUp--
    return ids.slice(0, -levelsUp).join('/')
  })
}

/** What rules take a call for, where that is not the tool's own name. */
function standsFor({ tool, input }: ToolCall, tools: Toolset): readonly string[] | undefined {
  const known = tools.find(tool)
  let as = known.as
  try {
    as = usesOfCall(known, input).as
  } catch {
    // A refused input may throw when it is read.
  }
  const others = as.filter((use) => use.toLowerCase() !== tool.toLowerCase())
  return others.length === 0 ? undefined : others
}

/** Leaves out the properties that are undefined: JSON has none. */
export function withoutAbsent(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** Freezes a value and all in it: one sink must not change what the next one gets. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
  return value
}

function first<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MAX_SHOWN)
}

function elapsed(began: number | undefined, at: number): number | undefined {
  return began === undefined ? undefined : Math.max(0, at - began)
}
