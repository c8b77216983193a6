/** Divides long synchronous work, so that whatever else the process does goes on. */
export interface TimeSlice {
  /** Lets everything else run, if the work has taken its time since the last pause. */
  readonly pause: () => Promise<void>
}

/** A tenth of what a person notices. */
const SLICE_MS = 8

/** Begins the first slice. */
export function beginTimeSlice(): TimeSlice {
  let since = performance.now()
  return {
    async pause() {
      if (performance.now() - since <= SLICE_MS) return
      // A promise alone would let nothing run but other promises. Browsers have no `setImmediate`.
      await new Promise((resolve) => void (typeof setImmediate === 'function' ? setImmediate : setTimeout)(resolve))
      since = performance.now()
    },
  }
}
