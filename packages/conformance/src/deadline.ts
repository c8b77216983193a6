/** What is given for work that was not done in time. */
export const LATE = Symbol('late')

/** Waits for some work, but not longer than `milliseconds`. The work itself goes on. */
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
