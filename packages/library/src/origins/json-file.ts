import { refused } from './failure.ts'

/** A value of JSON whose shape is not known. */
export type JsonObject = Readonly<Record<string, unknown>>

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
