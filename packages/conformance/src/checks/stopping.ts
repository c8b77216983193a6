import type { ConsentAnswer, FunctionTool } from '@repertoire/core'
import type { Trial } from '../check.ts'
import type { Turn } from '../driver.ts'
import { failure } from '../failure.ts'

/** The message of the signal's reason. */
export const STOPPED = 'The user pressed stop.'

/**
 * Sends a message or answers, and aborts the run as soon as a moment has come.
 * @returns the turn with which the run ended all the same; undefined if it was rejected
 */
export async function abortAt(
  moment: Promise<unknown>,
  trial: Trial,
  message: string | readonly ConsentAnswer[],
  abort = new AbortController(),
): Promise<Turn | undefined> {
  const { signal } = abort
  const run = typeof message === 'string' ? trial.send(message, { signal }) : trial.answer(message, { signal })
  const sending = run.catch(() => undefined)
  await Promise.race([moment, sending])
  abort.abort(new Error(STOPPED))
  return sending
}

/** Asserts that an aborted run was rejected. */
export function isAborted(turn: Turn | undefined): void {
  if (turn !== undefined) throw failure('the aborted send to reject', turn)
}

/** A tool that works until it is stopped, and then fails with the reason. */
export interface SlowTool {
  readonly tool: FunctionTool
  /** Resolves when it begins. */
  readonly begun: Promise<void>
  /** The signal that it was given; undefined if it was given none. */
  signal(): AbortSignal | undefined
}

/** The tool `Slow`. Without a signal nothing would stop it, so it then ends at once. */
export function slowTool(): SlowTool {
  const begun = Promise.withResolvers<void>()
  let given: AbortSignal | undefined
  return {
    begun: begun.promise,
    signal: () => given,
    tool: {
      name: 'Slow',
      description: 'Works until it is stopped.',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
      execute: async (_, { signal }) => {
        given = signal
        begun.resolve()
        if (signal === undefined) return 'done'
        const stopped = Promise.withResolvers<never>()
        signal.addEventListener('abort', () => stopped.reject(signal.reason), { once: true })
        signal.throwIfAborted()
        return stopped.promise
      },
    },
  }
}
