import { refused } from './failure.ts'
import type { OriginTree } from './tree.ts'

/** A value of JSON whose shape is not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The largest file that says what a package or a marketplace has. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads a file of an origin as a JSON object; undefined if the file is missing.
 * @throws {SkillError} ORIGIN_REFUSED: it is not a plain file, or not JSON
 */
export async function readJsonFile(source: string, tree: OriginTree, path: string): Promise<JsonObject | undefined> {
  const entry = tree.entries.find((each) => each.path === path)
  if (entry === undefined) return undefined
  if (entry.kind !== 'file') throw refused(source, `${path} is not a plain file.`, path)
  if ((entry.size ?? 0) > MAX_BYTES) throw refused(source, `${path} has more than ${MAX_BYTES} bytes.`, path)
  const bytes = (await tree.read([entry])).get(path) ?? new Uint8Array()
  return parseJsonObject(source, path, bytes)
}

/** @throws {SkillError} ORIGIN_REFUSED */
export function parseJsonObject(source: string, path: string, bytes: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Told below: what a parser says repeats what it has read.
  }
  throw refused(source, `${path} is not a JSON object.`)
}
