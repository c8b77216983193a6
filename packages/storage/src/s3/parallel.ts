/** Requests on their way at once. */
const PARALLEL = 32

/** Runs a function for every item, at most 32 at once, and returns the results in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length && !hasFailed; at = next++) {
      try {
        results[at] = await run(items[at]!)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, work))
  return results
}
