import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/** So much synchronous work is done before the event loop has its turn. */
const SLICE_MS = 8

/** The clock is read once in so many steps. */
const STEPS_PER_READING = 4

/** Divides long synchronous work, so that a program goes on beside it. */
export interface TimeSlice {
  /** Ends a step of the work. Returns whether it is time to rest. */
  isUsedUp(): boolean
  /** Lets the event loop have its turn. */
  rest(): Promise<void>
}

export function createTimeSlice(): TimeSlice {
  let since = performance.now()
  let steps = 0
  return {
    isUsedUp: () => ++steps % STEPS_PER_READING === 0 && performance.now() - since > SLICE_MS,
    async rest() {
      await setImmediate()
      since = performance.now()
    },
  }
}
