import { closeSync } from 'node:fs'
import { readBounded } from './reading.ts'
import { errorCode, OpenFailure } from './open-failure.ts'
import { openRegularFile } from './safe-open.ts'

/** The value in a JSON file, or what is wrong with the file. */
export type JsonFile =
  | { readonly state: 'read'; readonly value: unknown; readonly text: string }
  | { readonly state: 'missing' }
  | {
      readonly state: 'failed'
      /** As the end of a sentence about the file. */
      readonly problem: string
      /** What the file holds that is not JSON. Absent: it was not read. */
      readonly text?: string
    }

const MAX_BYTES = 1024 * 1024

/** Reads a JSON file of limited size, which must not be a link. Never blocks on a pipe. */
export async function readJsonFile(path: string): Promise<JsonFile> {
  let text: string
  try {
    const { fd, stats } = openRegularFile(path)
    try {
      const bytes = await readBounded(fd, stats.size, MAX_BYTES)
      if (bytes === undefined) return { state: 'failed', problem: `is larger than ${MAX_BYTES} bytes` }
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!(error instanceof OpenFailure)) return { state: 'failed', problem: 'is not UTF-8 text' }
    if (error.kind === 'missing') return { state: 'missing' }
    const reason = errorCode(error.cause) || `not a regular file: ${error.kind}`
    return { state: 'failed', problem: `cannot be read (${reason})` }
  }
  try {
    return { state: 'read', value: JSON.parse(text), text }
  } catch (error) {
    return { state: 'failed', problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}`, text }
  }
}
