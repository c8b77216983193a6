import type { Readable } from 'node:stream'

/** What a program has written, up to a number of bytes of both streams together. */
export interface Output {
  readonly stdout: string
  readonly stderr: string
  /** How many bytes were dropped. 0: none. */
  readonly droppedBytes: number
}

/** Reads both streams. What is over the limit is read too, and dropped, so that the program can go on. */
export function collectOutput(
  streams: Readonly<Record<'stdout' | 'stderr', Readable>>,
  maxBytes: number,
): { readonly ended: Promise<unknown>; readonly read: () => Output; readonly stop: () => void } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let left = maxBytes
  let droppedBytes = 0
  const both = Object.entries(streams) as ['stdout' | 'stderr', Readable][]
  for (const [name, stream] of both) {
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, left)
      if (kept.length > 0) chunks[name].push(kept)
      left -= kept.length
      droppedBytes += chunk.length - kept.length
    })
    // A stream that breaks off has ended.
    stream.on('error', () => {})
  }
  return {
    ended: Promise.all(both.map(([, stream]) => new Promise((resolve) => stream.once('close', resolve)))),
    stop: () => both.forEach(([, stream]) => stream.destroy()),
    read: () => ({
      stdout: asText(chunks.stdout, droppedBytes),
      stderr: asText(chunks.stderr, droppedBytes),
      droppedBytes,
    }),
  }
}

/** A character that the limit has cut in two is left out. */
function asText(chunks: readonly Buffer[], droppedBytes: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: droppedBytes > 0 })
}
