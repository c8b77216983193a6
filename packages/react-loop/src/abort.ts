/** Waits for work until the signal aborts, even if the work ignores the signal. */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  if (signal === undefined) return work()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Yields the parts of a stream until the signal aborts, even if the stream ignores the signal. Then it throws the reason. */
export async function* untilAborted<T>(
  parts: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = parts[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const next = await unlessAborted(() => iterator.next(), signal)
      isOver = next.done === true
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: a stream that hangs would hang here too.
    if (!isOver) void closed(iterator)
  }
}

async function closed(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // What a stream that nobody reads any more fails with concerns nobody.
  }
}
