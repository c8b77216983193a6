import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { ToolFailure } from '../result.ts'
import { shown } from '../roots.ts'

/** A file as it was read. */
export interface FileContent {
  readonly bytes: Buffer
  /** Names these bytes: another content has another one. */
  readonly version: string
}

/**
 * Reads a file whole.
 * @throws {OpenError}
 * @throws {ToolFailure} TOO_LARGE
 */
export function readContent(folder: OpenFolder, name: string, path: string, maxBytes: number): FileContent {
  const { fd } = folder.file(name)
  try {
    // One byte more tells that there is more, whatever the size was a moment ago.
    const chunks: Buffer[] = []
    for (let left = maxBytes + 1; left > 0;) {
      const chunk = Buffer.allocUnsafe(Math.min(left, 65_536))
      const count = readSync(fd, chunk, 0, chunk.length, null)
      if (count === 0) break
      chunks.push(chunk.subarray(0, count))
      left -= count
    }
    const bytes = Buffer.concat(chunks)
    if (bytes.length > maxBytes) {
      throw new ToolFailure('TOO_LARGE', `${shown(path)} has more than ${maxBytes} bytes, the most that is read here.`)
    }
    return { bytes, version: versionOf(bytes) }
  } finally {
    closeSync(fd)
  }
}

/** The same, or undefined if the name is free. */
export function findContent(folder: OpenFolder, name: string, path: string, maxBytes: number): FileContent | undefined {
  try {
    return readContent(folder, name, path, maxBytes)
  } catch (error) {
    if (error instanceof OpenError && error.kind === 'missing') return undefined
    throw error
  }
}

export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** Text, if the bytes are UTF-8 without NUL; else undefined. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
