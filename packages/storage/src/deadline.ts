import { setTimeout as delay } from 'node:timers/promises'
import { isSkillError, SkillError } from '@repertoire/core'
import { inTime } from '@repertoire/core/stores'
import { ConnectionLostError } from './engine.ts'

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
 * @throws {SkillError} TIMED_OUT: no answer; STORAGE_UNAVAILABLE: no connection comes, or the server refuses
 */
export async function callInTime<T>(limits: CallLimits, call: () => Promise<T>): Promise<T> {
  const { engine, timeoutMs } = limits
  const end = performance.now() + timeoutMs
  let lost: ConnectionLostError | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await inTime(call(), Math.max(1, Math.ceil(end - performance.now())), `The storage "${engine}"`)
    } catch (error) {
      if (error instanceof ConnectionLostError) lost = error
      // The last of several tries is cut short by the time: what the ones before said is the reason.
      else if (lost === undefined || !isSkillError(error) || error.code !== 'TIMED_OUT')
        throw asSkillError(engine, error)
      const wait = retryDelay(tries)
      if (error !== lost || performance.now() + wait >= end) throw unreachable(limits, lost)
      await delay(wait)
    }
  }
}

function unreachable({ engine, timeoutMs }: CallLimits, { message: reason, cause }: ConnectionLostError): SkillError {
  const message = `The storage "${engine}" cannot be reached (${reason}), and was tried for ${timeoutMs} ms. See whether the server runs, and try again: nothing that was stored before is lost. A write may have happened.`
  return new SkillError('STORAGE_UNAVAILABLE', message, { cause })
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
