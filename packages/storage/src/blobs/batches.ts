/** The most that is sent or asked for at once. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024
const MAX_BATCH_ITEMS = 500

/** Divides items, in their order, so that none of the parts is large unless it is one item. */
export function batchesOf<T>(items: Iterable<T>, sizeOf: (item: T) => number): readonly (readonly T[])[] {
  const batches: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    const last = batches.at(-1)
    if (last === undefined || last.length >= MAX_BATCH_ITEMS || bytes + size > MAX_BATCH_BYTES) {
      batches.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return batches
}
