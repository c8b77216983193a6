import type { StoredHead } from '../engine.ts'
import type { S3Answer } from './requests.ts'

/** What the object of a head holds. */
export interface S3Head {
  readonly version: string
  /** Null: it was removed. */
  readonly head: StoredHead | null
  readonly etag: string
}

/** Reads the object of a head: its version, and its text behind a line break. Without a text, the head was removed. */
export function storedIn({ state, bytes, etag }: S3Answer): S3Head | undefined {
  if (state !== 'done') return undefined
  const kept = new TextDecoder().decode(bytes)
  const at = kept.indexOf('\n')
  const head = at === kept.length - 1 ? null : { token: etag, text: kept.slice(at + 1) }
  return { version: kept.slice(0, at), head, etag }
}
