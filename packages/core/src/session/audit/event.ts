import type { AuditLog } from '../../audit/audit-log.ts'
import type { AuditedSkill, AuditEvent, AuditEventType, ShownSkills } from '../../audit/events.ts'
import { redactValue, visibleText } from '../../audit/redact.ts'
import { type Toolset, usesOfCall } from '@repertoire/gate/internal'
import type { Refusal, RefusalCode } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { type Layer, formatRule } from '@repertoire/skill-md/internal'
import { canonicalJson, sha256Of } from '../../text/hash.ts'
import { failureText } from '../refusal.ts'
import type { ActiveSkill } from '../state/state.ts'

/** The session to which events belong. */
export type AuditedSession = Pick<AuditEvent, 'session' | 'correlationId' | 'agent' | 'tenant' | 'environment'>

/** Something that happens in a session. The recorder adds the session, the time and the duration. */
export interface AuditDraft extends Partial<Omit<AuditEvent, 'type' | 'outcome' | 'skill' | 'shown' | 'error'>> {
  readonly type: AuditEvent['type']
  readonly outcome: AuditEvent['outcome']
  /** The active skills at that time. */
  readonly active: readonly ActiveSkill[]
  readonly call?: ToolCall | undefined
  /** The skill that is activated, deactivated, refused or run, or that refuses the call. */
  readonly skill?: NamedSkill | undefined
  readonly shown?: (Required<Pick<ShownSkills, 'withheld' | 'text'>> & Omit<ShownSkills, 'digest' | 'more'>) | undefined
  /** The refusal that the call comes to, where this event has its code: it gets none of its own. */
  readonly refusal?: Refusal | undefined
  /** The value that was thrown. */
  readonly error?: unknown
}

/** A skill before its activation, or an active one. */
export type NamedSkill = Pick<ActiveSkill, 'name' | 'source' | 'rules' | 'since'> & {
  readonly layer: Layer
  readonly digest?: string
}

/** A call with two events. The skill is that of a fork or an execution, and the script what an execution runs. */
export interface AuditedCall extends Pick<AuditDraft, 'active' | 'skill' | 'script' | 'run'> {
  readonly type: 'tool' | 'fork' | 'execution'
  readonly call: ToolCall
  readonly runOf?: () => AuditDraft['run']
}

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

export type EventMaker = ReturnType<typeof createEventMaker>

/** Creates what makes the events of one session. It remembers what began when, for the durations. */
export function createEventMaker(
  { now, text, prompt, inputs }: Pick<AuditLog, 'now' | 'text' | 'prompt' | 'inputs'>,
  owner: AuditedSession,
) {
  const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  const identity = {
    session: text(owner.session),
    correlationId: optional(owner.correlationId),
    agent: optional(owner.agent),
    tenant: optional(owner.tenant),
    environment: optional(owner.environment),
  }
  const activatingSince = new Map<string, number>()
  /** A call has two events, and is hashed once. */
  const fieldsOf = new WeakMap<ToolCall, Partial<AuditEvent>>()

  /**
   * Makes a draft into an event, frozen and redacted.
   * @param model the name of the model that the event came from
   * @param tools the host's tools at that time
   */
  function eventOf(draft: AuditDraft, model: string | undefined, tools: Toolset): AuditEvent {
    const { type, outcome, active, call, callId, skill, error, enforced = true, refusal: _, consent, ...rest } = draft
    // The state says when a skill was activated: its event says the same.
    const at = (type === 'skill.activated' ? skill?.since : undefined) ?? now()
    return frozenJson({
      version: 1,
      type,
      time: new Date(at).toISOString(),
      ...identity,
      model,
      callId,
      ...(call && callFields(call, tools)),
      skill: skill === undefined ? undefined : auditedSkill(skill),
      skills: auditedStack(active),
      ...rest,
      allowedTools: cutList(rest.allowedTools),
      unmatchedTools: cutList(rest.unmatchedTools),
      unboundedRules: cutList(rest.unboundedRules),
      hook: optional(rest.hook),
      shown: rest.shown && shownSkills(rest.shown),
      consent: consent && {
        ...consent,
        text: inputs === 'none' ? undefined : optional(consent.text),
        reason: optional(consent.reason),
      },
      window: rest.window && { ...rest.window, skills: rest.window.skills?.slice(0, MAX_RULES) },
      durationMs: rest.durationMs ?? durationOf(type, skill, at),
      outcome,
      reason: optional(rest.reason),
      error: error === undefined ? undefined : text(failureText(error)),
      enforced,
    }) as AuditEvent
  }

  function callFields(call: ToolCall, tools: Toolset): Partial<AuditEvent> {
    const fields = fieldsOf.get(call) ?? {
      callId: call.id,
      tool: call.tool,
      standsFor: standsFor(call, tools),
      inputDigest: inputDigest(call.input),
      input: inputs === 'none' ? undefined : frozenJson(redactValue(call.input, text)),
    }
    fieldsOf.set(call, fields)
    return fields
  }

  /** Notes when an activation begins. Returns how long took what ends with an event; undefined: nothing, or unknown. */
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

  function shownSkills({ text: system, ...shown }: NonNullable<AuditDraft['shown']>): ShownSkills {
    const { skills, left, tools, withheld } = shown
    const lacks = Object.entries({ skills, left, tools, withheld }).flatMap(([name, list]) =>
      list.length > MAX_SHOWN ? [[name, list.length - MAX_SHOWN] as const] : [],
    )
    return {
      ...shown,
      skills: skills.slice(0, MAX_SHOWN),
      left: left.slice(0, MAX_SHOWN),
      tools: tools.slice(0, MAX_SHOWN),
      withheld: withheld.length === 0 ? undefined : withheld.slice(0, MAX_SHOWN),
      digest: sha256Of(system),
      text: inputs === 'none' ? undefined : prompt(system),
      more: lacks.length === 0 ? undefined : Object.fromEntries(lacks),
    }
  }

  function auditedStack(active: readonly ActiveSkill[]): readonly AuditedSkill[] {
    const owners = ownersOf(owner.session, active)
    return active.map((skill, index) => {
      const session = owners[index]
      return session === undefined ? auditedSkill(skill) : { ...auditedSkill(skill), session }
    })
  }

  return eventOf
}

const audited = new WeakMap<NamedSkill, AuditedSkill>()

function auditedSkill(skill: NamedSkill): AuditedSkill {
  const known = audited.get(skill)
  if (known !== undefined) return known
  const { name, digest, layer, source, rules } = skill
  const allowedTools = cutList(rules?.slice(0, MAX_RULES + 1).map(formatRule))
  const made = frozenJson({ name, digest, layer, source, allowedTools }) as AuditedSkill
  audited.set(skill, made)
  return made
}

function cutList(all: readonly string[] | undefined): readonly string[] | undefined {
  return all !== undefined && all.length > MAX_RULES ? [...all.slice(0, MAX_RULES - 1), '…'] : all
}

/**
 * Returns the session that each inherited skill of a stack was activated in. Skills of the outermost session come
 * first, those of a fork after the skill that it was made for; a fork's id is its parent's with one part more.
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

/** The digest of an input; undefined for a value that JSON cannot represent. */
function inputDigest(input: unknown): string | undefined {
  try {
    return sha256Of(canonicalJson(input ?? null))
  } catch {
    return undefined
  }
}

/** What rules take a call for, if that is not the tool's own name. */
function standsFor({ tool, input }: ToolCall, tools: Toolset): string | undefined {
  const known = tools.find(tool)
  let as: string | undefined
  try {
    as = usesOfCall(known, input).as
  } catch {
    // A refused input may throw when it is read.
  }
  return as === undefined || as.toLowerCase() === tool.toLowerCase() ? undefined : as
}

/**
 * Returns a value as JSON has it, without properties that are undefined and with control characters made visible.
 * Frozen: one sink must not change what the next one gets.
 */
function frozenJson(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  // What is frozen comes from here.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenJson))
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  for (const entry of entries) entry[1] = frozenJson(entry[1])
  return Object.freeze(Object.fromEntries(entries))
}

function elapsed(began: number | undefined, at: number): number | undefined {
  return began === undefined ? undefined : Math.max(0, at - began)
}
