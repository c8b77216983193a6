import { createHash } from 'node:crypto'
import { closeSync, readFileSync } from 'node:fs'
import type { OpenFolder } from '@repertoire/core/node'
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
  const { fd, stats } = folder.file(name)
  try {
    const bytes = stats.size > maxBytes ? undefined : readFileSync(fd)
    if (bytes !== undefined && bytes.length <= maxBytes) return { bytes, version: versionOf(bytes) }
    throw new ToolFailure('TOO_LARGE', `${shown(path)} has more than ${maxBytes} bytes, the most that is read here.`)
  } finally {
    closeSync(fd)
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
