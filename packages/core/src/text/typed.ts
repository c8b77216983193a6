/** A terminal hands over one line at a time. */
const QUIET_MS = 50
/** A program that writes without end is no person. */
const MAX_DROP_MS = 2_000

/**
 * Drops what was typed before a question is shown, until nothing comes for 50 ms. For programs that ask questions of
 * their own.
 * @returns false where input still comes after 2 seconds: a program writes it, so no person can answer
 */
export async function dropTyped(input: NodeJS.ReadableStream, signal?: AbortSignal): Promise<boolean> {
  const began = performance.now()
  let came = false
  const note = (): void => void (came = true)
  input.on('data', note)
  try {
    for (;;) {
      came = false
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
      if (!came || signal?.aborted === true || performance.now() - began >= MAX_DROP_MS) return !came
    }
  } finally {
    input.off('data', note)
    input.pause()
  }
}
