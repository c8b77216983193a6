import { closeSync } from 'node:fs'
import { readBounded } from '../folder/bounded-read.ts'
import { OpenFailure, errorCode } from '../folder/open-failure.ts'
import { openRegularFile } from '../folder/safe-open.ts'

/** The content of a package.json: an object with unchecked properties. */
export type PackageJson = Readonly<Record<string, unknown>>

/** A package.json, or why it cannot be read. `missing`: there is no such file. */
export type ReadPackageJson =
  | { readonly ok: true; readonly value: PackageJson }
  | { readonly ok: false; readonly reason: 'missing' | (string & {}) }

const MAX_BYTES = 1024 * 1024

/** Reads a package.json of limited size. Never blocks on a pipe. */
export async function readPackageJson(path: string): Promise<ReadPackageJson> {
  let text: string
  try {
    const { fd, stats } = openRegularFile(path)
    try {
      const bytes = await readBounded(fd, stats.size, MAX_BYTES)
      if (bytes === undefined) return { ok: false, reason: `it is larger than ${MAX_BYTES} bytes` }
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!(error instanceof OpenFailure)) return { ok: false, reason: `it cannot be read as text (${messageOf(error)})` }
    if (error.kind === 'missing') return { ok: false, reason: 'missing' }
    const code = errorCode(error.cause)
    return {
      ok: false,
      reason: `it cannot be read (${code === '' ? `it is not a regular file: ${error.kind}` : code})`,
    }
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { ok: true, value }
    return { ok: false, reason: 'it is not an object' }
  } catch (error) {
    return { ok: false, reason: `it is not JSON: ${messageOf(error)}` }
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
