/** A time limit that has begun. */
export interface Deadline {
  /** Aborts when the time is over, or with the caller's signal. */
  readonly signal: AbortSignal
  /** Whether the time is over. */
  readonly isOver: () => boolean
  /** Waits for work, and no longer than until then. @returns undefined: it has not ended by then */
  readonly within: <T>(work: Promise<T>) => Promise<T | undefined>
  /** Must be called in the end. */
  readonly stop: () => void
}

/** Begins a time limit. Unlike `AbortSignal.timeout` it keeps the process alive, so that its result is always told. */
export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), timeoutMs)
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
  const ended = new Promise<undefined>((resolve) => {
    either.addEventListener('abort', () => resolve(undefined), { once: true })
    if (either.aborted) resolve(undefined)
  })
  return {
    signal: either,
    isOver: () => over.signal.aborted,
    within: (work) => Promise.race([work, ended]),
    stop: () => clearTimeout(timer),
  }
}
