import type { AuditLog } from '../../audit/audit-log.ts'
import type { AuditedSkill, AuditEvent, AuditEventType, AuditOutcome, TokenUsage } from '../../audit/events.ts'
import { inputDigest } from '../../audit/input-digest.ts'
import { redactValue } from '../../audit/redact.ts'
import { formatRule } from '../../manifest/index.ts'
import type { RefusalCode } from '../../ports/outcome.ts'
import type { Layer } from '../../ports/skill.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { failureText } from '../calls/refusal.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What a session says of something that happens in it; the audit adds who, when and how long. */
export interface AuditDraft {
  readonly type: AuditEventType
  readonly outcome: AuditOutcome
  /** The stack that it is judged by. */
  readonly active: readonly ActiveSkill[]
  readonly call?: ToolCall | undefined
  /** The skill that it is about. */
  readonly skill?: NamedSkill | undefined
  readonly script?: { readonly skill: string; readonly path: string } | undefined
  readonly path?: string | undefined
  readonly hook?: string | undefined
  readonly usage?: TokenUsage | undefined
  readonly durationMs?: number | undefined
  readonly code?: RefusalCode | undefined
  readonly reason?: string | undefined
  readonly allowedTools?: readonly string[] | undefined
  /** Whatever was thrown. */
  readonly error?: unknown
  /** Default true. */
  readonly enforced?: boolean | undefined
}

/** A skill before its activation, or one that is active. */
export type NamedSkill = Pick<ActiveSkill, 'name' | 'source' | 'rules'> & {
  readonly layer: Layer
  readonly digest?: string
}

/** Whose events they are. */
export interface AuditedSession {
  readonly session: string
  readonly correlationId?: string | undefined
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
}

/** Rules of one skill that an event names at the most. */
const MAX_RULES = 100

/**
 * Makes the events of one session. It knows of what began when, so that each later event says how long it took.
 * @returns the event of a draft, asked for by a model's call if its name is given; frozen, everything in it redacted
 */
export function eventMaker(
  { now, text, inputs }: Pick<AuditLog, 'now' | 'text' | 'inputs'>,
  of: AuditedSession,
): (draft: AuditDraft, model: string | undefined) => AuditEvent {
  const who = withoutAbsent({
    session: text(of.session),
    correlationId: of.correlationId === undefined ? undefined : text(of.correlationId),
    agent: of.agent === undefined ? undefined : text(of.agent),
    tenant: of.tenant === undefined ? undefined : text(of.tenant),
    environment: of.environment === undefined ? undefined : text(of.environment),
  }) as Pick<AuditEvent, 'session'>
  const named = new WeakMap<NamedSkill, AuditedSkill>()
  const stacks = new WeakMap<readonly ActiveSkill[], readonly AuditedSkill[]>()
  /** When activations began, and when they were done, by the skill's name. */
  const activatingSince = new Map<string, number>()
  const activeSince = new Map<string, number>()

  function eventOf(draft: AuditDraft, model: string | undefined): AuditEvent {
    const { type, outcome, active, call, skill, error, enforced = true, ...rest } = draft
    const at = now()
    const about = skill === undefined ? undefined : auditedSkill(skill)
    const event = withoutAbsent({
      version: 1,
      type,
      time: new Date(at).toISOString(),
      ...who,
      model: model === undefined ? undefined : text(model),
      callId: call === undefined ? undefined : text(call.id),
      tool: call === undefined ? undefined : text(call.tool),
      inputDigest: call === undefined ? undefined : inputDigest(call.input),
      input: call === undefined || inputs === 'none' ? undefined : redactValue(call.input, text),
      skill: about,
      skills: audited(active),
      allowedTools: rest.allowedTools === undefined ? undefined : rules(rest.allowedTools),
      script: rest.script === undefined ? undefined : { skill: text(rest.script.skill), path: text(rest.script.path) },
      path: rest.path === undefined ? undefined : text(rest.path),
      hook: rest.hook === undefined ? undefined : text(rest.hook),
      usage: rest.usage,
      durationMs: rest.durationMs ?? lifetime(type, skill?.name, at),
      outcome,
      code: rest.code,
      reason: rest.reason === undefined ? undefined : text(rest.reason),
      error: error === undefined ? undefined : text(failureText(error)),
      enforced,
    })
    return frozen(event) as unknown as AuditEvent
  }

  /** How long an activation took, and how long a skill was active. */
  function lifetime(type: AuditEventType, name: string | undefined, at: number): number | undefined {
    if (name === undefined) return undefined
    if (type === 'skill.activating') activatingSince.set(name, at)
    if (type === 'skill.activated') {
      activeSince.set(name, at)
      return elapsed(activatingSince, name, at)
    }
    return type === 'skill.deactivated' ? elapsed(activeSince, name, at) : undefined
  }

  function audited(active: readonly ActiveSkill[]): readonly AuditedSkill[] {
    const known = stacks.get(active)
    if (known !== undefined) return known
    const owners = ownersOf(of.session, active)
    const skills = active.map((skill, index) => {
      const owner = owners[index]
      return owner === undefined ? auditedSkill(skill) : { ...auditedSkill(skill), session: text(owner) }
    })
    stacks.set(active, skills)
    return skills
  }

  function auditedSkill(skill: NamedSkill): AuditedSkill {
    const known = named.get(skill)
    if (known !== undefined) return known
    const shown = withoutAbsent({
      name: text(skill.name),
      digest: skill.digest,
      layer: skill.layer,
      source: text(skill.source),
      allowedTools: skill.rules === undefined ? undefined : rules(skill.rules.slice(0, MAX_RULES + 1).map(formatRule)),
    }) as unknown as AuditedSkill
    named.set(skill, shown)
    return shown
  }

  const rules = (all: readonly string[]): readonly string[] =>
    all.length > MAX_RULES ? [...all.slice(0, MAX_RULES - 1).map(text), '…'] : all.map(text)

  return eventOf
}

/**
 * The session that each inherited skill of a stack was activated in. Those of the outermost session come first, those of
 * a fork after the skill that it was made for, and a fork's id is that of the session above and one part more.
 */
function ownersOf(session: string, active: readonly ActiveSkill[]): readonly (string | undefined)[] {
  const ids = session.split('/')
  let above = 1 + active.filter(({ inherited, forked }) => inherited === true && forked === true).length
  return active.map(({ inherited, forked }) => {
    if (inherited !== true) return undefined
    if (forked === true) above--
    return ids.slice(0, -above).join('/')
  })
}

/** The time since what began under a name, where that is known; it is known no more afterwards. */
function elapsed(began: Map<string, number>, name: string, at: number): number | undefined {
  const since = began.get(name)
  began.delete(name)
  return since === undefined ? undefined : Math.max(0, at - since)
}

/** Without the properties that are undefined: JSON has none. */
export function withoutAbsent(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** All the way down: one sink must not write into what the next one gets. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) frozen(item)
  return value
}
