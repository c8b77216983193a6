import { number, withDefault } from '@repertoire/core/options'

export const DEFAULT_DEADLINE_MS = 30_000

/** The option `deadline`. No timer of Node waits for longer than 2³¹ - 1 ms. */
export const deadlineOption = withDefault(DEFAULT_DEADLINE_MS, number('milliseconds', { above: 0, to: 2 ** 31 - 1 }))

/** The result for work that did not finish in time. */
export const LATE = Symbol('late')

/** Waits for work, but not longer than `milliseconds`. The work itself continues. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
