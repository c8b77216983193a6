/** Keeps track of operations that have started and not yet ended. */
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

/** Returns a tracker without operations. */
export function createOperations(): Operations {
  const open = new Map<Promise<unknown>, string>()
  return {
    run(what, work) {
      const running = (async () => work())()
      open.set(running, what)
      const remove = (): void => void open.delete(running)
      running.then(remove, remove)
      return running
    },
    pending: () => [...open.values()],
    async settled() {
      // An operation that ends may have started another one.
      while (open.size > 0) {
        // Operations that are added meanwhile are awaited in the next round
        await Promise.allSettled(open.keys())
      }
    },
  }
}
