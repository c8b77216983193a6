/** How long something takes, in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Runs something for all items, a few at once. */
export async function inTurns<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const next = items.values()
  const work = async (): Promise<void> => {
    for (const item of next) await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}
