/**
 * Does work, and yields the values that it pushes. If the reader stops, the work is aborted and awaited.
 * @throws the error of the work, after the last value
 */
export async function* streamWork<T>(
  work: (push: (value: T) => void, signal: AbortSignal) => Promise<void>,
  given: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const left = new AbortController()
  const signal = given === undefined ? left.signal : AbortSignal.any([given, left.signal])
  const waiting: T[] = []
  let changed = Promise.withResolvers<void>()
  let isDone = false
  const push = (value: T): void => {
    waiting.push(value)
    changed.resolve()
  }
  const done = work(push, signal).finally(() => {
    isDone = true
    changed.resolve()
  })
  const ended = done.catch(() => {})
  try {
    for (;;) {
      yield* waiting.splice(0)
      if (waiting.length > 0) continue
      if (isDone) break
      await changed.promise
      changed = Promise.withResolvers<void>()
    }
    await done
  } finally {
    left.abort()
    await ended
  }
}
