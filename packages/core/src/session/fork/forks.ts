import type { Outcome } from '@repertoire/gate/internal'
import type { SessionParts } from '../context.ts'
import type { ForkRequest, ForkResult, ForkRunner, Session } from '../session.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ActiveSkill, SessionChange, SessionState } from '../state/state.ts'
import { failureReason } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { PreparedActivation, RequestedRun } from '../activation/prepare.ts'
import { quoteName, showName, enclosed, escapeXml } from '@repertoire/skill-md/internal'

/** What forks are run with. */
interface ForkNeeds extends SessionParts {
  /** Opens a session by the changes that it begins with. Nothing begins in it once the signal aborts. */
  readonly openChild: (id: string, opening: readonly SessionChange[], signal: AbortSignal) => ChildSession
  /** Of the parent session. */
  readonly lifetime: Lifetime
}

/** The forks of a session. */
export interface Forks {
  /**
   * Runs a fork, and ends its session whatever becomes of it. Other calls go on beside it. Returns undefined where the
   * parent session ended first.
   * @throws the signal's reason
   */
  run(fork: RequestedRun, runner: ForkRunner, signal: AbortSignal | undefined): Promise<Outcome | undefined>
  /** Waits until no fork is running. */
  settled(): Promise<void>
}

/** Creates the forks of one session. */
export function createForks({ context, state, openChild, lifetime }: ForkNeeds): Forks {
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
    async run(fork, runner, signal) {
      const { endSignal } = lifetime
      const forkSignal = signal === undefined ? endSignal : AbortSignal.any([signal, endSignal])
      if (forkSignal.aborted) {
        signal?.throwIfAborted()
        return undefined
      }
      const { call, active: skill } = fork.prepared
      const id = freeId(call.id)
      const run = async (): Promise<Outcome> => {
        const child = openChild(id, openingOf(id, state.current(), fork.active), forkSignal)
        return runChild(child, fork, runner, forkSignal)
      }
      const audited = context.audit?.run({ type: 'fork', call, active: fork.active, skill }, run, {
        signal: forkSignal,
      })
      const outcome = audited ?? run()
      running.set(id, outcome)
      try {
        return await outcome
      } catch (error) {
        signal?.throwIfAborted()
        if (endSignal.aborted) return undefined
        throw error
      } finally {
        running.delete(id)
      }
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}

/**
 * Returns the changes that a fork's session begins with: the grants of the task, and everything that was active where the
 * fork was requested, which no call in the fork can deactivate.
 */
function openingOf(
  id: string,
  { granted, correlationId }: SessionState,
  active: readonly ActiveSkill[],
): readonly SessionChange[] {
  return [
    { type: 'opened', id, ...(correlationId !== undefined && { correlationId }) },
    ...granted.map((grant) => ({ type: 'granted' as const, grant })),
    ...active.map((skill) => ({ type: 'activated' as const, skill: { ...skill, inherited: true as const } })),
  ]
}

/** The session of a sub-agent, before the skill that it runs is active in it. */
export interface ChildSession {
  readonly session: Session
  /** Activates the skill, which was prepared in the parent session. */
  activate(prepared: PreparedActivation): Promise<Outcome>
}

/** How long a fork that was told to stop is waited for. */
const GRACE_MS = 5_000

/** How much of a fork's result the model is shown, in characters. */
const MAX_RESULT_CHARS = 100_000

/**
 * Runs the sub-agent of a fork in its session, which ends with it.
 * @throws the signal's reason
 */
async function runChild(
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
    const run = { session: child.session, callId: prepared.call.id, signal }
    const request = forkRequest(prepared, activated.text ?? '', run)
    const result: unknown = await withGrace(async () => runner(request), signal)
    signal.throwIfAborted()
    return forkOutcome(skill.name, result)
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
  { skill, args, inspected }: PreparedActivation,
  instructions: string,
  run: Pick<ForkRequest, 'session' | 'callId' | 'signal'>,
): ForkRequest {
  const { agent, model } = inspected.manifest
  const prompt = args ?? `Do what the skill ${quoteName(skill.name)} says.`
  return {
    skill: skill.name,
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    instructions,
    prompt,
    message: `${instructions}\n\n${prompt}`,
    system: SYSTEM_PROMPT,
    ...run,
  }
}

const SYSTEM_PROMPT =
  'You are a sub-agent. Do the one task that you are given, by the skill that comes with it, with the tools that you ' +
  'have. Nobody reads along and nobody can be asked: decide for yourself, and end with the result alone, complete, ' +
  'since nothing else of this conversation is kept.'

/** Reads what a fork's runner returned as the outcome of the call that requested the fork. */
function forkOutcome(name: string, result: unknown): Outcome {
  const { text, usage } = typeof result === 'string' ? { text: result } : ((result ?? {}) as Partial<ForkResult>)
  if (typeof text !== 'string') return refuse.forkFailed(name, 'it returned no text')
  const isSplit = splitsCharacter(text, MAX_RESULT_CHARS)
  const shown = text.slice(0, isSplit ? MAX_RESULT_CHARS - 1 : MAX_RESULT_CHARS)
  const truncated = shown.length < text.length
  return {
    ok: true,
    value: {
      name,
      forked: true,
      result: shown,
      ...(truncated && { truncated }),
      ...(typeof usage === 'object' && usage !== null && { usage }),
    },
    text: [
      `<skill_result name="${escapeXml(showName(name))}"${truncated ? ' truncated="true"' : ''}>`,
      shown.trim() === '' ? 'The skill ended without a text.' : enclosed(shown).trim(),
      ...(truncated ? [`Cut after ${shown.length} of ${text.length} characters.`] : []),
      '</skill_result>',
    ].join('\n'),
  }
}

/** Whether a cut there would leave half of a character. */
function splitsCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}

/**
 * Waits for work that a signal tells to stop, and after that no longer than `GRACE_MS`: work that ignores the signal must
 * not keep a task from its end.
 * @throws what the work throws; the signal's reason where the grace is over
 */
async function withGrace<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const graceOver = Promise.withResolvers<never>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const startGrace = (): void => {
    timer = setTimeout(() => graceOver.reject(signal.reason), GRACE_MS)
  }
  signal.addEventListener('abort', startGrace, { once: true })
  try {
    return await Promise.race([work(), graceOver.promise])
  } finally {
    signal.removeEventListener('abort', startGrace)
    clearTimeout(timer)
  }
}
