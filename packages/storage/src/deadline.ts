import { setTimeout as delay } from 'node:timers/promises'
import { isSkillError, SkillError } from '@repertoire/core'
import { inTime } from '@repertoire/core/adapter'
import { ConnectionLost } from './engine.ts'

const FIRST_DELAY_MS = 20
const MAX_DELAY_MS = 1_000

/** What calls of an engine are held to. */
export interface CallLimits {
  /** As messages name it. */
  readonly engine: string
  readonly timeoutMs: number
}

/** Makes a call of an engine within the time for it. `bytes`: how many it moves. */
export type EngineCall = <T>(run: () => Promise<T>, bytes?: number) => Promise<T>

/**
 * Makes a call of an engine, again while the connection is lost, until the time is over.
 * @throws {SkillError} TIMED_OUT: no answer; STORAGE_UNAVAILABLE: the connection does not come back, or the server refuses
 */
export async function callInTime<T>(limits: CallLimits, call: () => Promise<T>): Promise<T> {
  const { engine, timeoutMs } = limits
  const end = performance.now() + timeoutMs
  for (let tries = 1; ; tries++) {
    try {
      return await inTime(call(), Math.max(1, Math.ceil(end - performance.now())), `The storage "${engine}"`)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw asSkillError(engine, error)
      const wait = retryDelay(tries)
      if (performance.now() + wait < end) {
        await delay(wait)
        continue
      }
      const message = `The storage "${engine}" cannot be reached (${error.message}), and was tried for ${timeoutMs} ms. See whether the server runs, and try again: nothing that was stored before is lost. A write may have happened.`
      throw new SkillError('STORAGE_UNAVAILABLE', message, { cause: error.cause })
    }
  }
}

/** Between two tries: twice as long each time, and not the same for all who try. */
export function retryDelay(tries: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 10)) * (0.5 + Math.random() / 2)
}

function asSkillError(engine: string, error: unknown): SkillError {
  if (isSkillError(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new SkillError('STORAGE_UNAVAILABLE', `The storage "${engine}" refuses a call: ${reason}.`, { cause: error })
}
