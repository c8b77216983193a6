import { enclosed, escapeXml } from '../../text/escape.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { PreparedActivation, WantedFork } from '../activation/activate.ts'
import type { SessionContext } from '../context.ts'
import { failureReason, type Refused, refused } from '../calls/refusal.ts'
import type { ForkResult, ForkRunner, Session } from '../session.ts'
import type { ActiveSkill, SessionChange, SessionState } from '../state/state.ts'
import { MAX_TIMER_MS } from '../../ports/limits.ts'

/** The session of a sub-agent, before the skill that it is for is active in it. */
export interface ChildSession {
  readonly session: Session
  /** Activates the skill: it is agreed to in the session above. */
  enter(admitted: PreparedActivation): Promise<Outcome>
}

/** What forks work on. */
export interface ForksContext {
  readonly context: SessionContext
  readonly state: () => SessionState
  /** Opens a session by the changes that it begins with. Nothing begins in it once `until` aborts. */
  readonly openChild: (id: string, opening: readonly SessionChange[], until: AbortSignal) => ChildSession
  /** Aborted where the session is over. */
  readonly over: AbortSignal
}

/** The forks of a session. */
export interface Forks {
  /**
   * Runs one, and ends its session whatever becomes of it. Other calls go on beside it.
   * @throws the signal's reason
   */
  run(fork: WantedFork, runner: ForkRunner, signal: AbortSignal | undefined): Promise<Outcome | undefined>
  /** Waits until none is at work. */
  settled(): Promise<void>
}

export function createForks({ context, state, openChild, over }: ForksContext): Forks {
  const atWork = new Map<string, Promise<unknown>>()

  /** Two calls of one id may be at work at once: their sessions, and what is mounted for them, are two. */
  function freeId(callId: string): string {
    // A call's id may be any text, and must not pass for a fork's in a fork.
    const id = `${state().id}/${callId.replaceAll(/[%/]/g, encodeURIComponent)}`
    for (let n = 1; ; n++) {
      const free = n === 1 ? id : `${id}~${n}`
      if (!atWork.has(free)) return free
    }
  }

  async function runIn(
    child: ChildSession,
    { admitted, callId }: WantedFork,
    runner: ForkRunner,
    until: AbortSignal,
  ): Promise<Outcome> {
    const { skill, args, prepared } = admitted
    const { agent, model } = prepared.manifest
    try {
      const entered = await child.enter(admitted)
      until.throwIfAborted()
      if (!entered.ok) return entered
      const instructions = entered.text ?? ''
      const prompt = args ?? `Do what the skill "${skill.name}" says.`
      const request = {
        skill: skill.name,
        ...(agent !== undefined && { agent }),
        ...(model !== undefined && { model }),
        instructions,
        prompt,
        message: `${instructions}\n\n${prompt}`,
        system: SYSTEM,
        session: child.session,
        callId,
        signal: until,
      }
      const result: unknown = await withGrace(async () => runner(request), until, context.turns.forkGrace)
      until.throwIfAborted()
      return answer(skill.name, result, context.turns.forkResultLimit)
    } catch (error) {
      until.throwIfAborted()
      return failed(skill.name, failureReason(error))
    } finally {
      await child.session.end()
    }
  }

  return {
    async run(fork, runner, signal) {
      const until = signal === undefined ? over : AbortSignal.any([signal, over])
      if (until.aborted) {
        signal?.throwIfAborted()
        return undefined
      }
      const id = freeId(fork.callId)
      const run = (): Promise<Outcome> =>
        runIn(openChild(id, openingOf(id, state(), fork.active), until), fork, runner, until)
      const { call, active: skill } = fork.admitted
      const audited = context.audit?.run({ type: 'fork', call, active: fork.active, skill }, run, { signal: until })
      const work = audited ?? run()
      atWork.set(id, work)
      try {
        return await work
      } catch (error) {
        signal?.throwIfAborted()
        if (over.aborted) return undefined
        throw error
      } finally {
        atWork.delete(id)
      }
    },
    async settled() {
      while (atWork.size > 0) await Promise.allSettled(atWork.values())
    },
  }
}

/**
 * What a fork's session begins with: what was agreed to in the task, and everything that was active where the fork was
 * wanted, which no call in the fork can leave.
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

const SYSTEM =
  'You are a sub-agent. Do the one task that you are given, by the skill that comes with it, with the tools that you ' +
  'have. Nobody reads along and nobody can be asked: decide for yourself, and end with the result alone, complete, ' +
  'since nothing else of this conversation is kept.'

/**
 * Waits for work that is told to stop by a signal, and after that no longer than `grace` milliseconds: who does not
 * listen to the signal must not keep a task from its end.
 * @throws what the work throws; the signal's reason where the grace is over
 */
async function withGrace<T>(work: () => Promise<T>, signal: AbortSignal, grace: number): Promise<T> {
  const over = Promise.withResolvers<never>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = (): void => {
    timer = setTimeout(() => over.reject(signal.reason), Math.min(grace, MAX_TIMER_MS))
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(), over.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

function answer(name: string, result: unknown, limit: number): Outcome {
  const { text, usage } = typeof result === 'string' ? { text: result } : ((result ?? {}) as Partial<ForkResult>)
  if (typeof text !== 'string') return failed(name, 'it gave no text')
  const end = text.length > limit && isHalf(text, limit) ? limit - 1 : limit
  const shown = text.slice(0, end)
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
      `<skill_result name="${escapeXml(name)}"${truncated ? ' truncated="true"' : ''}>`,
      shown.trim() === '' ? 'The skill ended without a text.' : enclosed(shown).trim(),
      ...(truncated ? [`Cut after ${shown.length} of ${text.length} characters.`] : []),
      '</skill_result>',
    ].join('\n'),
  }
}

/** Whether a cut there would leave half of a character. */
function isHalf(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}

function failed(name: string, why: string): Refused {
  return refused({ code: 'FORK_FAILED', reason: `The skill "${name}" ran and came to no result: ${why}` })
}
