/** A time limit that has begun. */
export interface Deadline {
  /** Aborts when the time is over, or with the caller's signal. */
  readonly signal: AbortSignal
  /** Whether the time is over. */
  readonly isOver: () => boolean
  /** Must be called in the end. */
  readonly stop: () => void
}

/** Begins a time limit. Unlike `AbortSignal.timeout` it keeps the process alive, so that its result is always told. */
export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), timeoutMs)
  return {
    signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
    isOver: () => over.signal.aborted,
    stop: () => clearTimeout(timer),
  }
}
