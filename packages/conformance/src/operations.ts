/** Keeps account of what was begun and has not come to an end. */
export interface Operations {
  /**
   * Starts an operation. Its promise may be ignored: an unhandled rejection has no effect.
   * @param what its name in messages: `send("Hello") of trial 1`
   */
  run<T>(what: string, work: () => Promise<T>): Promise<T>
  /** The current operations, oldest first. */
  pending(): readonly string[]
  /** Resolves when all operations have ended, successfully or not. */
  settled(): Promise<void>
}

/** Opens an account. */
export function createOperations(): Operations {
  const open = new Map<Promise<unknown>, string>()
  return {
    run(what, work) {
      const running = (async () => work())()
      open.set(running, what)
      const forget = (): void => void open.delete(running)
      running.then(forget, forget)
      return running
    },
    pending: () => [...open.values()],
    async settled() {
      // What ends may have begun something else.
      while (open.size > 0) {
        // What is added meanwhile is waited for in the next round
        await Promise.allSettled(open.keys())
      }
    },
  }
}
