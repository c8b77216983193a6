/** How the run that a call is a part of ends or waits. */
export interface RunOptions {
  /**
   * Aborts the run: what has not begun by then is not begun, a question that is being asked is given up, and a fork
   * that is at work is stopped.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether what `execute` throws is the framework's way to wait for a person, after which it makes the call again: that
   * is on record as no failure. Default: nothing is.
   */
  readonly suspends?: ((error: unknown) => boolean) | undefined
}
