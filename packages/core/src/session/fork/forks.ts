import type { Outcome } from '../../ports/outcome.ts'
import type { CallScope, SessionContext, SessionParts } from '../context.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { ForkRequest, ForkResult, ForkRunner, Session } from '../session.ts'
import { type ActiveSkill, initialState, type SessionState } from '../state/state.ts'
import { cutText, failureReason } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { reportModel } from '../step/begin.ts'
import type { PreparedActivation, RequestedRun } from '../activation/prepare.ts'
import { isObject, quoteName } from '@repertoire/skill-md/internal'
import { ABORTED, waitFor } from '../../time-limit.ts'
import { skillResultText } from '../execution/request-and-outcome.ts'

export type Forks = ReturnType<typeof createForks>

/**
 * @param parent the session
 * @param openChild opens a session for a call of a scope, with the state that it begins with. Nothing begins in it once
 * the signal aborts
 */
export function createForks(
  { state, lifetime }: SessionParts,
  openChild: (scope: CallScope, opening: SessionState, signal: AbortSignal) => ChildSession,
) {
  const running = new Map<string, Promise<unknown>>()

  /** Two calls with one id may run at once: their sessions, and what is mounted for them, are two. */
  function freeId(callId: string): string {
    // A call's id may be any text, and must not pass for a fork's in a fork.
    const id = `${state.current().id}/${callId.replaceAll(/[%/]/g, encodeURIComponent)}`
    for (let n = 1; ; n++) {
      const free = n === 1 ? id : `${id}~${n}`
      if (!running.has(free)) return free
    }
  }

  return {
    /**
     * Runs a fork that a call of a scope has requested, and ends its session whatever becomes of it. Other calls go on
     * beside it. Returns undefined if the parent session ended first.
     */
    async run(
      scope: CallScope,
      fork: RequestedRun,
      runner: ForkRunner,
      signal: AbortSignal | undefined,
    ): Promise<Outcome | undefined> {
      const { call, active: skill } = fork.prepared
      const id = freeId(call.id)
      const outcome = lifetime.runUntilEnd(signal, async (until) => {
        until.throwIfAborted()
        const run = async (): Promise<Outcome> => {
          const child = openChild(scope, openingOf(id, state.current(), fork.active), until)
          return runChild(scope.context, child, fork, runner, until)
        }
        const { audit } = scope.context
        return audit?.run({ type: 'fork', call, active: fork.active, skill }, run, { signal: until }) ?? run()
      })
      running.set(id, outcome)
      try {
        return await outcome
      } finally {
        running.delete(id)
      }
    },
    /** Waits until no fork is running. */
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}

/**
 * Returns the state that a fork's session begins with: the grants of the task, and everything that was active where the
 * fork was requested, which no call in the fork can deactivate.
 */
function openingOf(
  id: string,
  { granted, correlationId, tenant }: SessionState,
  active: readonly ActiveSkill[],
): SessionState {
  const inherited = active.map((skill) => ({ ...skill, inherited: true as const }))
  return { ...initialState(id), correlationId, tenant, granted, active: inherited }
}

/** The session of a sub-agent, before the skill that it runs is active in it. */
export interface ChildSession {
  readonly session: AdapterSession
  /** Activates the skill, which was prepared in the parent session. */
  activate(prepared: PreparedActivation): Promise<Outcome>
}

/** How long a fork that was told to stop is waited for. */
const GRACE_MS = 5_000

/** How much of a fork's result the model is shown, in characters. */
const MAX_RESULT_CHARS = 100_000

/** Runs the sub-agent of a fork in its session, which ends with it. */
async function runChild(
  context: SessionContext,
  child: ChildSession,
  { prepared }: RequestedRun,
  runner: ForkRunner,
  signal: AbortSignal,
): Promise<Outcome> {
  const { skill } = prepared
  try {
    const activated = await child.activate(prepared)
    signal.throwIfAborted()
    if (!activated.ok) return activated
    const request = forkRequest(context, prepared, activated.text ?? '', child.session, signal)
    const running = (async () => runner(request))()
    // Work that ignores the signal must not keep a task from its end.
    if ((await waitFor(running, Infinity, signal)) === ABORTED) await waitFor(running, GRACE_MS)
    signal.throwIfAborted()
    return forkOutcome(skill.name, await running)
  } catch (error) {
    signal.throwIfAborted()
    return refuse.forkFailed(skill.name, failureReason(error))
  } finally {
    await child.session.end()
  }
}

/**
 * Makes the request for a sub-agent that runs a skill.
 * @param instructions the text of the activation
 */
function forkRequest(
  context: SessionContext,
  { skill, args, call, inspected }: PreparedActivation,
  instructions: string,
  session: Session,
  signal: AbortSignal,
): ForkRequest {
  const { agent, model: name } = inspected.manifest
  const model = name === 'inherit' ? undefined : name
  const prompt = args ?? `Do what the skill ${quoteName(skill.name)} says.`
  return {
    skill: skill.name,
    agent,
    model,
    reportModel: () => {
      if (model !== undefined) reportModel(context, context.task, { name: skill.name, model })
    },
    instructions,
    prompt,
    message: `${instructions}\n\n${prompt}`,
    system: SYSTEM_PROMPT,
    session,
    callId: call.id,
    signal,
  }
}

const SYSTEM_PROMPT =
  'You are a sub-agent. Do the one task that you are given, by the skill that comes with it, with the tools that you ' +
  'have. Nobody reads along and nobody can be asked: decide for yourself, and end with the result alone, complete, ' +
  'since nothing else of this conversation is kept.'

function forkOutcome(name: string, result: unknown): Outcome {
  const { text, usage } = (typeof result === 'string' ? { text: result } : Object(result)) as Partial<ForkResult>
  if (typeof text !== 'string') return refuse.forkFailed(name, 'it returned no text')
  const shown = cutText(text, MAX_RESULT_CHARS)
  const isCut = shown.length < text.length
  return {
    ok: true,
    value: {
      name,
      forked: true,
      result: shown,
      truncated: isCut || undefined,
      usage: isObject(usage) ? usage : undefined,
    },
    text: skillResultText(name, '', text, MAX_RESULT_CHARS, 'The skill ended without a text.'),
  }
}
