import type { AuditLog } from '../audit/audit-log.ts'
import type { AuditedSkill, AuditEvent, AuditEventType, AuditOutcome, TokenUsage } from '../audit/events.ts'
import { inputDigest } from '../audit/input-digest.ts'
import { redactValue } from '../audit/redact.ts'
import { formatRule } from '../manifest/index.ts'
import type { Layer, Outcome, Refusal, RefusalCode, SessionProblem, ToolCall } from '../types.ts'
import { failureText, type Refused, refused } from './refusal.ts'
import type { ActiveSkill } from './state.ts'

/** What a session says of something that happens in it; the audit adds who, when and how long. */
interface AuditDraft {
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
type NamedSkill = Pick<ActiveSkill, 'name' | 'source' | 'rules'> & { readonly layer: Layer; readonly digest?: string }

/** What a session writes down. It is there only where there is a sink. */
export interface SessionAudit {
  /**
   * Writes down what is about to happen.
   * @returns the refusal to give instead, where it must be on record and cannot be
   */
  intent(draft: AuditDraft): Promise<Refused | undefined>
  /** Writes down what has happened. Waits for those sinks only that are required. Never throws. */
  note(draft: AuditDraft): Promise<void>
  /** Writes down that a call was refused, by the code of the refusal. One refusal is written down once. */
  refused(call: ToolCall, active: readonly ActiveSkill[], refusal: Refusal, more?: RefusedMore): Promise<void>
  /**
   * Runs a tool of the host's, or a fork, between its two events.
   * @throws what `run` throws
   */
  run(what: AuditedRun, run: () => Promise<Outcome>, signal?: AbortSignal): Promise<Outcome>
  /** The model that what comes is asked for by, and the stack that it is shown. */
  step(model: string | undefined, active: readonly ActiveSkill[]): void
  /** Tokens that the call of the model took that the step was for. */
  usage(usage: TokenUsage): void
  /** The audit of a sub-agent's session. */
  fork(session: string): SessionAudit
  /** Waits until everything is written, or has failed to be. */
  settled(): Promise<void>
}

/** What is known of a refusal beside its code. */
interface RefusedMore {
  /** The skill that was not activated. */
  readonly skill?: NamedSkill
  /** False: the rules only advise, and the call goes on. Default true. */
  readonly enforced?: boolean
}

/** What is run between two events. */
interface AuditedRun {
  readonly type: 'tool' | 'fork'
  readonly call: ToolCall
  readonly active: readonly ActiveSkill[]
  /** The skill that the fork is for. */
  readonly skill?: NamedSkill
}

/** Whose events they are. */
interface AuditedSession {
  readonly session: string
  readonly correlationId?: string | undefined
  readonly agent?: string | undefined
  readonly tenant?: string | undefined
  readonly environment?: string | undefined
}

/** What the audit of a session works on. */
export interface SessionAuditContext {
  readonly log: AuditLog
  readonly of: AuditedSession
  /** The script of an active skill that a call of a host's tool runs. */
  readonly scriptOf: (call: ToolCall, active: readonly ActiveSkill[]) => AuditEvent['script']
  readonly problem: (problem: SessionProblem) => void
}

/** Rules of one skill that an event names at the most. */
const MOST_RULES = 100

/** What a refusal is to the record, where it is more than a call that was refused. */
const TYPES: ReadonlyMap<RefusalCode, AuditEventType> = new Map<RefusalCode, AuditEventType>([
  ['TOOL_NOT_ALLOWED', 'restriction.violated'],
  ['SCRIPT_READ_BLOCKED', 'script_read.blocked'],
  ['RESOURCE_NOT_FOUND', 'resource.refused'],
  ['RESOURCE_REFUSED', 'resource.refused'],
  ['SKILL_NOT_FOUND', 'skill.denied'],
  ['SKILL_BROKEN', 'skill.denied'],
  ['SKILL_NOT_INVOCABLE', 'skill.denied'],
  ['CONSENT_DENIED', 'skill.denied'],
  ['HOOK_FAILED', 'skill.denied'],
  ['HOOK_UNAVAILABLE', 'skill.denied'],
  ['MOUNT_FAILED', 'skill.denied'],
  ['FORK_UNAVAILABLE', 'skill.denied'],
  ['FORK_TOO_DEEP', 'skill.denied'],
])

/** Opens the audit of one session. */
export function createSessionAudit({ log, of, scriptOf, problem }: SessionAuditContext): SessionAudit {
  const { now, text } = log
  const who = optional({
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
  const failing = new Set<unknown>()
  const recorded = new WeakSet<Refusal>()
  let step: { readonly model: string | undefined; readonly active: readonly ActiveSkill[] } | undefined

  function write(draft: AuditDraft): boolean | Promise<boolean> {
    return log.write(eventOf(draft), ({ sink, required, cause }) => {
      // Once, and not for every event: a sink that is away is away for many.
      if (failing.has(sink)) return
      failing.add(sink)
      const effect = required
        ? 'What it must have on record is refused until it can be written.'
        : 'Nothing is refused for it.'
      problem({
        code: 'AUDIT_FAILED',
        message: `The audit of the session "${of.session}" has holes: a sink failed. ${failureText(cause)}. ${effect}`,
        cause,
      })
    })
  }

  function eventOf({ type, outcome, active, call, skill, error, enforced = true, ...rest }: AuditDraft): AuditEvent {
    const at = now()
    const about = skill === undefined ? undefined : auditedSkill(skill)
    const event = optional({
      version: 1,
      type,
      time: new Date(at).toISOString(),
      ...who,
      model: step?.model === undefined ? undefined : text(step.model),
      callId: call === undefined ? undefined : text(call.id),
      tool: call === undefined ? undefined : text(call.tool),
      inputDigest: call === undefined ? undefined : inputDigest(call.input),
      input: call === undefined || log.inputs === 'none' ? undefined : redactValue(call.input, text),
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
    const skills = active.map(auditedSkill)
    stacks.set(active, skills)
    return skills
  }

  function auditedSkill(skill: NamedSkill): AuditedSkill {
    const known = named.get(skill)
    if (known !== undefined) return known
    const shown = optional({
      name: text(skill.name),
      digest: skill.digest,
      layer: skill.layer,
      source: text(skill.source),
      allowedTools: skill.rules === undefined ? undefined : rules(skill.rules.slice(0, MOST_RULES + 1).map(formatRule)),
    }) as unknown as AuditedSkill
    named.set(skill, shown)
    return shown
  }

  const rules = (all: readonly string[]): readonly string[] =>
    all.length > MOST_RULES ? [...all.slice(0, MOST_RULES - 1).map(text), '…'] : all.map(text)

  async function intent(draft: AuditDraft): Promise<Refused | undefined> {
    if (await write(draft)) return undefined
    const refusal = {
      code: 'AUDIT_UNAVAILABLE' as const,
      reason:
        'This was not done: it must be on record, and the record cannot be written now. It is not about your input. Try once more, and if that fails too, tell the user.',
    }
    recorded.add(refusal)
    await note({ ...draft, type: 'tool.refused', outcome: 'refused', ...refusal })
    return refused(refusal)
  }

  async function note(draft: AuditDraft): Promise<void> {
    await write(draft)
  }

  return {
    intent,
    note,
    async refused(call, active, refusal, { skill, enforced = true } = {}) {
      if (recorded.has(refusal)) return
      recorded.add(refusal)
      const { code, reason, allowedTools } = refusal
      const type = TYPES.get(code) ?? 'tool.refused'
      const path = type === 'resource.refused' || type === 'script_read.blocked' ? pathIn(call.input) : undefined
      const outcome = enforced ? 'refused' : 'allowed'
      await note({ type, outcome, active, call, skill, path, code, reason, allowedTools, enforced })
    },
    async run({ type, ...what }, run, signal) {
      const about = { ...what, script: type === 'tool' ? scriptOf(what.call, what.active) : undefined }
      const began = now()
      const unaudited = await intent({ type: `${type}.started`, outcome: 'started', ...about })
      if (unaudited !== undefined) return unaudited
      const finished = (outcome: AuditOutcome, rest: Partial<AuditDraft> = {}): Promise<void> =>
        note({ type: `${type}.finished`, outcome, ...about, durationMs: Math.max(0, now() - began), ...rest })
      try {
        const outcome = await run()
        if (!outcome.ok) await finished(outcome.refusal.code === 'FORK_FAILED' ? 'failed' : 'refused', outcome.refusal)
        else await finished(type === 'tool' && log.failed(outcome.value, what.call.tool) ? 'failed' : 'succeeded')
        return outcome
      } catch (error) {
        await finished(signal?.aborted ? 'aborted' : 'failed', { error })
        throw error
      }
    },
    step(model, active) {
      step = { model, active }
    },
    usage({ inputTokens, outputTokens }) {
      const usage = optional({ inputTokens: count(inputTokens), outputTokens: count(outputTokens) })
      void note({ type: 'model.called', outcome: 'succeeded', active: step?.active ?? [], usage })
    },
    fork(session) {
      const child = createSessionAudit({ log, of: { ...of, session }, scriptOf, problem })
      // Until the sub-agent's own model is called, what happens is asked for by the one above.
      if (step !== undefined) child.step(step.model, step.active)
      return child
    },
    settled: () => log.settled(),
  }
}

/** The path that a call names, as most tools call theirs. */
function pathIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { path, file_path: file } = input as Readonly<Record<string, unknown>>
  return [path, file].find((value) => typeof value === 'string')
}

/** The time since what began under a name, where that is known; it is known no more afterwards. */
function elapsed(began: Map<string, number>, name: string, at: number): number | undefined {
  const since = began.get(name)
  began.delete(name)
  return since === undefined ? undefined : Math.max(0, at - since)
}

/** Providers leave counts out, and some give none by NaN or null. */
function count(tokens: unknown): number | undefined {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined
}

/** Without the properties that are undefined: JSON has none. */
function optional(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** All the way down: one sink must not write into what the next one gets. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) frozen(item)
  return value
}
