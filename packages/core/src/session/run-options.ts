/** How the run that a call is part of ends or waits. */
export interface RunOptions {
  /**
   * Aborts the run: what has not begun is not begun, a request for consent that waits for its answer is abandoned, and a
   * running fork is stopped.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether what `execute` throws is the framework's way to wait for a person, after which it makes the call again: that
   * is not recorded as a failure. Default: never.
   */
  readonly suspends?: ((error: unknown) => boolean) | undefined
}
