import { performance } from 'node:perf_hooks'

/** How long synchronous work runs before it yields to the event loop. */
const SLICE_MS = 8

/** The clock is read once per this number of steps. */
const STEPS_PER_READING = 4

/** Divides long synchronous work into slices, so that the event loop is not blocked. */
export interface TimeSlice {
  /** Ends a step of the work. Returns whether it is time to call `rest`. */
  isUsedUp(): boolean
  /** Yields to the event loop once. */
  rest(): Promise<void>
}

export function createTimeSlice(): TimeSlice {
  let since = performance.now()
  let steps = 0
  return {
    isUsedUp: () => ++steps % STEPS_PER_READING === 0 && performance.now() - since > SLICE_MS,
    async rest() {
      // One of `node:timers/promises` takes twice as long, and a first scan rests about ten times.
      await new Promise((resolve) => void setImmediate(resolve))
      since = performance.now()
    },
  }
}
