import type { Input } from '../context.ts'
import { UsageError } from '../usage-error.ts'

/** What a script is given at most: it is held in memory. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024

/**
 * Reads the standard input to its end.
 * @throws {UsageError} it is a terminal, or too long
 * @throws the signal's reason
 */
export async function readInput(input: Input | undefined, signal: AbortSignal): Promise<Uint8Array> {
  if (input === undefined) return new Uint8Array()
  if (input.isTTY === true)
    throw new UsageError('--stdin reads what is piped in, and the standard input is a terminal.')
  const chunks: Buffer[] = []
  let size = 0
  const stop = (): void => {
    if ('destroy' in input && typeof input.destroy === 'function') input.destroy(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > MAX_INPUT_BYTES) throw new UsageError(`The standard input has more than ${MAX_INPUT_BYTES} bytes.`)
      chunks.push(bytes)
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
  return Buffer.concat(chunks)
}
