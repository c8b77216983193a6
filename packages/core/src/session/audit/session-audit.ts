import { type AuditLog, openAuditLog } from '../../audit/audit-log.ts'
import type {
  AuditEvent,
  AuditEventType,
  AuditOptions,
  AuditOutcome,
  AuditSink,
  TokenUsage,
} from '../../audit/events.ts'
import type { Outcome, Refusal, RefusalCode } from '../../ports/outcome.ts'
import type { SessionProblem } from '../../ports/problem.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { type AuditDraft, type AuditedSession, eventMaker, type NamedSkill, withoutAbsent } from './event.ts'
import { failureText, type Refused, refused } from '../calls/refusal.ts'
import type { RunOptions } from '../run-options.ts'
import type { ActiveSkill } from '../state/state.ts'

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
  run(what: AuditedRun, run: () => Promise<Outcome>, options: RunOptions): Promise<Outcome>
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

/** What the audit of a session works on. */
export interface SessionAuditContext {
  readonly log: AuditLog
  readonly of: AuditedSession
  /** The script of an active skill that a call of a host's tool runs. */
  readonly scriptOf: (call: ToolCall, active: readonly ActiveSkill[]) => AuditEvent['script']
  readonly problem: (problem: SessionProblem) => void
}

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

/** What all sessions of a repertoire are written down by. */
export interface SessionAudits {
  readonly of: (context: Omit<SessionAuditContext, 'log'>) => SessionAudit
  /** @throws what a sink's closing throws, when all are closed */
  readonly close: () => Promise<void>
}

/**
 * Opens what the option `audit` asks for; undefined where there is no sink in it.
 * @throws {TypeError} as `openAuditLog`
 */
export function openSessionAudits(given: AuditSink | readonly AuditSink[] | AuditOptions): SessionAudits | undefined {
  const log = openAuditLog(given)
  return log && { of: (context) => createSessionAudit({ log, ...context }), close: () => log.close() }
}

/** Opens the audit of one session. */
export function createSessionAudit({ log, of, scriptOf, problem }: SessionAuditContext): SessionAudit {
  const { now } = log
  const eventOf = eventMaker(log, of)
  const failing = new Set<unknown>()
  const recorded = new WeakSet<Refusal>()
  let step: { readonly model: string | undefined; readonly active: readonly ActiveSkill[] } | undefined

  function write(draft: AuditDraft): boolean | Promise<boolean> {
    return log.write(eventOf(draft, step?.model), ({ sink, required, cause }) => {
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
    async run({ type, ...what }, run, { signal, suspends }) {
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
        if (suspends?.(error) === true) await finished('suspended')
        else await finished(signal?.aborted ? 'aborted' : 'failed', { error })
        throw error
      }
    },
    step(model, active) {
      step = { model, active }
    },
    usage({ inputTokens, outputTokens }) {
      const usage = withoutAbsent({ inputTokens: count(inputTokens), outputTokens: count(outputTokens) })
      void note({ type: 'model.called', outcome: 'succeeded', active: step?.active ?? [], usage })
    },
    fork(session) {
      const child = createSessionAudit({ log, of: { ...of, session }, scriptOf, problem })
      // Until the sub-agent's own model is called, what happens is asked for by the one above.
      if (step !== undefined) {
        const inherited = step.active.map((skill) => ({ ...skill, inherited: true as const }))
        child.step(step.model, inherited)
      }
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

/** Providers leave counts out, and some give none by NaN or null. */
function count(tokens: unknown): number | undefined {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined
}
