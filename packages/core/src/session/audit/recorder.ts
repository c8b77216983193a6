import { RecentEntries } from '../../recent-entries.ts'
import { type AuditLog, openAuditLog } from '../../audit/audit-log.ts'
import { hasFailed, isNotFound, missingInShell } from '../../audit/tool-result.ts'
import type { AuditOptions, AuditOutcome, AuditSink, LeftSkill, TokenUsage } from '../../audit/events.ts'
import { literalWords, readArguments, scriptRunBy, textsOf, type Toolset } from '@repertoire/gate/internal'
import type { Outcome, Refusal } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionProblem } from '../../ports/problem.ts'
import { failureText, hostReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { RunOptions } from '../lifetime.ts'
import type { ActiveSkill } from '../state/state.ts'
import {
  type AuditDraft,
  type AuditedCall,
  type AuditedSession,
  createEventMaker,
  type EventMaker,
  REFUSAL_EVENTS,
} from './event.ts'
import { type TokenCounter, quoteName } from '@repertoire/skill-md/internal'
import { type MeasuredTexts, createMeasuredTexts } from '../../window/settings.ts'
import { estimateTokens } from '../../window/settings.ts'

/** Records the events of one session. There is one only if there is a sink. */
export interface SessionAudit {
  /**
   * Records what is about to happen.
   * @returns the refusal to give instead, where it must be recorded and cannot be
   */
  recordIntent(draft: AuditDraft): Promise<Refused | undefined>
  /** Records what has happened. Waits only for sinks that are required. Never throws. */
  record(draft: AuditDraft): Promise<void>
  /**
   * Records a refused call once. The refusal's code decides the type of the event.
   * @param details.skill the skill that was not activated
   * @param details.enforced false: the rules only advise, and the call goes on. Default true
   */
  recordRefusal(
    call: ToolCall,
    active: readonly ActiveSkill[],
    refusal: Refusal,
    details?: Pick<AuditDraft, 'skill' | 'enforced'>,
  ): Promise<void>
  /**
   * Runs a tool of the host's, a fork or an execution, between its two events.
   * @throws what `run` throws
   */
  run(what: AuditedCall, run: () => Promise<Outcome>, options: RunOptions): Promise<Outcome>
  /** Returns the audit of a step of the session, for what comes of its model call. */
  ofStep(step: AuditedStep): SessionAudit
  /** Tells which consent questions are on record: frameworks reopen sessions, and make again what suspended a run. */
  readonly questions: {
    /**
     * Whether a question is to be recorded.
     * @param earlier what an earlier run has recorded of it
     */
    readonly ask: (request: string, earlier?: 'asked' | 'answered') => boolean
    readonly answer: (request: string) => boolean
  }
  readonly shown: ShownNeeds
  /** Records the tokens that the step's model call took. */
  recordUsage(usage: TokenUsage): void
  fork(id: string): SessionAudit
  /** Returns the time by the audit's clock, in milliseconds since 1970. */
  now(): number
  /** Waits until every event is written, or could not be. */
  settled(): Promise<void>
}

/** A model call. */
interface AuditedStep {
  /** The model's name. */
  readonly model?: string | undefined
  /** The stack and the tools that it is shown. */
  readonly active: readonly ActiveSkill[]
  readonly tools: Toolset
}

/** Questions that are remembered. */
const MAX_QUESTIONS = 10_000

interface ShownNeeds {
  /** Counts the tokens of what is shown, where no window is kept. */
  readonly countTokens: TokenCounter
  readonly known: MeasuredTexts
  /** Returns the skills of the catalog that cannot be in the session's list, whatever its budget. */
  readonly left: () => readonly LeftSkill[]
}

interface SessionAuditContext {
  readonly log: AuditLog
  readonly shown: ShownNeeds
  readonly asked: RecentEntries<string, 'asked' | 'answered'>
  readonly session: AuditedSession
  /** The host's tools before the first step. */
  readonly tools: Toolset
  /** The folder that relative paths in the host's tools are relative to. */
  readonly cwd: string | undefined
  readonly reportProblem: (problem: SessionProblem) => void
}

/** The audits of all sessions of a repertoire. */
export type SessionAudits = NonNullable<ReturnType<typeof openSessionAudits>>

/**
 * Opens the audit of the option `audit`; undefined if it has no sink.
 * @throws {TypeError} as `openAuditLog`
 */
export function openSessionAudits(
  option: AuditSink | readonly AuditSink[] | AuditOptions,
  countTokens: TokenCounter = estimateTokens,
) {
  const log = openAuditLog(option)
  if (log === undefined) return undefined
  const known = createMeasuredTexts()
  const asked = new RecentEntries<string, 'asked' | 'answered'>(MAX_QUESTIONS)
  return {
    open: ({
      left,
      ...context
    }: Omit<SessionAuditContext, 'log' | 'shown' | 'asked'> & Pick<ShownNeeds, 'left'>): SessionAudit =>
      createSessionAudit({ ...context, log, asked, shown: { countTokens, known, left } }),
    /** Closes the sinks. @throws what a sink's `close` throws, after all are closed */
    close: () => log.close(),
  }
}

/** Refusals that are on record. Calls of one message share one, also over several sessions: it is recorded once. */
const recorded = new WeakSet<Refusal>()

/**
 * Creates the audit of one session, or of one of its steps.
 * @param failing the sinks whose failure is reported
 * @param step absent: what happens belongs to no model call
 */
function createSessionAudit(
  context: SessionAuditContext,
  eventOf: EventMaker = createEventMaker(context.log, context.session),
  failing = new Set<unknown>(),
  step?: AuditedStep,
): SessionAudit {
  const { log, session, tools, cwd, reportProblem, asked } = context
  const { now } = log

  /** The ids of sessions are the host's: those of two tenants may be the same, and so are the requests then. */
  const keyOf = (request: string): string => JSON.stringify([session.tenant, request])

  function write(draft: AuditDraft): Promise<boolean> {
    return log.write(eventOf(draft, step?.model, step?.tools ?? tools), ({ sink, required, cause }) => {
      // Once, and not for every event: a sink that is away is away for many.
      if (failing.has(sink)) return
      failing.add(sink)
      const effect = required ? ' What must be recorded is refused until it can be written.' : ''
      reportProblem({
        code: 'AUDIT_FAILED',
        message: `The audit of the session ${quoteName(session.session)} is incomplete: a sink failed. ${failureText(cause)}.${effect}`,
        cause,
      })
    })
  }

  async function recordIntent(draft: AuditDraft): Promise<Refused | undefined> {
    if (await write(draft)) return undefined
    const outcome = refuse.notRecorded()
    recorded.add(outcome.refusal)
    await record({ ...draft, type: 'tool.refused', outcome: 'refused', ...outcome.refusal })
    return outcome
  }

  async function record(draft: AuditDraft): Promise<void> {
    if (draft.refusal !== undefined) recorded.add(draft.refusal)
    await write(draft)
  }

  /** Returns the path that a tool did not find; undefined where it found it, or names no path. */
  async function missingPath({ tool, input }: ToolCall, result: unknown): Promise<string | undefined> {
    const { argument } = (step?.tools ?? tools).find(tool)
    // Of an MCP server's tool nothing else tells its argument.
    if (argument === undefined) return isNotFound(result) ? pathIn(input) : undefined
    if (argument.kind !== 'path' && argument.kind !== 'shell') return undefined
    const texts = textsOf(readArguments(argument, input))
    if (argument.kind === 'path') return isNotFound(result) ? texts[0] : undefined
    return missingInShell((await Promise.all(texts.map(literalWords))).flat(), result)
  }

  return {
    recordIntent,
    record,
    async recordRefusal(call, active, refusal, { skill, enforced = true } = {}) {
      if (recorded.has(refusal)) return
      recorded.add(refusal)
      const { code, allowedTools, refusedBy } = refusal
      const refusing = skill ?? active.find(({ name }) => name === refusedBy?.skill)
      const type = REFUSAL_EVENTS.get(code) ?? 'tool.refused'
      const path = type === 'resource.refused' || type === 'script_read.blocked' ? pathIn(call.input) : undefined
      const outcome = enforced ? 'refused' : 'allowed'
      await record({
        type,
        outcome,
        active,
        call,
        skill: refusing,
        path,
        code,
        reason: hostReason(refusal),
        allowedTools,
        refusedBy,
        enforced,
      })
    },
    async run({ type, runOf, ...rest }, run, { signal, suspends }) {
      const script = type === 'tool' ? await scriptRunBy(rest.call, rest.active, { tools, cwd }) : undefined
      const draft = { ...rest, script: script ?? rest.script }
      const began = now()
      const unaudited = await recordIntent({ type: `${type}.started`, outcome: 'started', ...draft })
      if (unaudited !== undefined) return unaudited
      const recordEnd = (outcome: AuditOutcome, more: Partial<AuditDraft> = {}): Promise<void> =>
        record({ type: `${type}.finished`, outcome, ...draft, durationMs: Math.max(0, now() - began), ...more })
      const recordResult = async (value: unknown): Promise<void> => {
        const missing = await missingPath(rest.call, value)
        const isFailure = missing !== undefined || hasFailed(value)
        return recordEnd(isFailure ? 'failed' : 'succeeded', { missing })
      }
      try {
        const outcome = await run()
        if (!outcome.ok) {
          if (type === 'tool') recorded.add(outcome.refusal)
          await recordEnd(outcome.refusal.code === 'FORK_FAILED' ? 'failed' : 'refused', outcome.refusal)
        } else if (type === 'tool') await recordResult(outcome.value)
        else {
          // An execution's value may say that what it ran has failed; a fork's never does.
          const { failed } = Object(outcome.value) as { readonly failed?: unknown }
          await recordEnd(failed === true ? 'failed' : 'succeeded', { run: runOf?.() })
        }
        return outcome
      } catch (error) {
        // An aborted call does not wait for its sinks: the end of the session does.
        if (suspends?.(error) === true) await recordEnd('suspended')
        else if (signal?.aborted === true) void recordEnd('aborted', { error })
        else await recordEnd('failed', { error, missing: await missingPath(rest.call, error) })
        throw error
      }
    },
    ofStep: (begun) => createSessionAudit(context, eventOf, failing, begun),
    questions: {
      ask(request, earlier) {
        const before = asked.get(keyOf(request))
        if (earlier === undefined) asked.set(keyOf(request), 'asked')
        else if (before === undefined) asked.set(keyOf(request), earlier)
        return earlier === undefined && before !== 'asked'
      },
      answer(request) {
        const isNew = asked.get(keyOf(request)) !== 'answered'
        asked.set(keyOf(request), 'answered')
        return isNew
      },
    },
    shown: context.shown,
    recordUsage({ inputTokens, outputTokens }) {
      const usage = { inputTokens: count(inputTokens), outputTokens: count(outputTokens) }
      void record({ type: 'model.called', outcome: 'succeeded', active: step?.active ?? [], usage })
    },
    fork(id) {
      const child = { ...context, session: { ...session, session: id } }
      // Until the sub-agent's own model is called, what happens comes from the parent's.
      const active = step?.active.map((skill) => ({ ...skill, inherited: true as const }))
      const forked = createEventMaker(log, child.session)
      return createSessionAudit(child, forked, new Set(), step && { ...step, active: active! })
    },
    now,
    settled: () => log.settled(),
  }
}

/** Returns the path that a call names under the names that most tools use. */
function pathIn(input: unknown): string | undefined {
  const { path, file_path: file } = Object(input) as Readonly<Record<string, unknown>>
  return [path, file].find((value) => typeof value === 'string')
}

/** Returns a count of tokens as it is given; providers leave it out, or give NaN or null. */
function count(tokens: unknown): number | undefined {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined
}
