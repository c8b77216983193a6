/** Work that is done a slice at a time, with all that waits in between. */
export interface Slices {
  /** Whether the slice has taken its time. */
  readonly isOver: () => boolean
  /** Lets everything else run first. */
  readonly next: () => Promise<void>
}

/** A tenth of what a person notices. */
const SLICE_MS = 8

/** Begins the first slice. */
export function beginSlices(): Slices {
  let since = performance.now()
  return {
    isOver: () => performance.now() - since > SLICE_MS,
    async next() {
      // A promise alone would let nothing run but other promises.
      await new Promise((resolve) => setTimeout(resolve))
      since = performance.now()
    },
  }
}
