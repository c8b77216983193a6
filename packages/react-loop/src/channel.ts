/** A queue between a producer that pushes and a consumer that iterates. */
export interface Channel<T> extends AsyncIterable<T> {
  readonly push: (value: T) => void
  /** Ends the queue: pushed values can still be read, then `error` is thrown, if there is one. */
  close(failure?: { readonly error: unknown }): void
}

export function createChannel<T>(): Channel<T> {
  const waiting: T[] = []
  let wake: (() => void) | undefined
  let closed: { readonly error?: unknown } | undefined
  return {
    push(value) {
      waiting.push(value)
      wake?.()
    },
    close(failure) {
      closed = failure ?? {}
      wake?.()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0)
        if (waiting.length > 0) continue
        if (closed !== undefined) {
          if ('error' in closed) throw closed.error
          return
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
