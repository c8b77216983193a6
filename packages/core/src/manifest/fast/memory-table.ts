import type { Manifest, Profile } from '../../ports/manifest.ts'
import type { CompactDiagnostic } from '../diagnostics.ts'

/** Returns the SHA-256 of bytes as 32 characters, one per byte: a Latin-1 string stores it in 32 bytes. */
export type BytesHash = (bytes: Uint8Array) => string

/** Results in the order of the scan. Stored as columns: a map of objects would take twice the memory. */
export interface Table {
  readonly profile: Profile
  /** The key of each frontmatter, or all hashes in one string. */
  keys: string[] | string
  /** Undefined: the frontmatter is broken. */
  manifests: (Manifest | undefined)[]
  diagnostics: (readonly CompactDiagnostic[])[]
  folderNames: (string | undefined)[]
  /** The lengths of the frontmatters, in bytes: 32 KiB at most. */
  lengths: number[] | Uint16Array
  /** The rows whose key is a text that is still to be hashed. */
  readonly unhashed: Map<number, BytesHash>
  isEnded: boolean
}

/** The length of a hash. */
export const HASH_CHARS = 32

/** When texts are hashed: a program that has listed its skills is waiting for its model then. */
const HASH_AFTER_MS = 100

/** No frontmatter that is read has it. */
const NUL = '\0'

/** Returns the key of a text, which is that of no hash: one that is as long as a hash could be that of another frontmatter. */
export function textKey(text: string): string {
  return text.length === HASH_CHARS ? text + NUL : text
}

/** Returns all hashes in one string, or a copy without spare capacity. */
export function joined(keys: readonly string[]): string[] | string {
  return keys.every(({ length }) => length === HASH_CHARS) ? keys.join('') : keys.slice()
}

/** Puts the hashes in the place of the texts. Decoding was strict, so the texts have the bytes of their files. */
export function hashTexts(table: Table): void {
  const { keys, unhashed } = table
  if (unhashed.size === 0 || typeof keys === 'string') return
  const utf8 = new TextEncoder()
  try {
    for (const [row, hash] of unhashed) keys[row] = hash(utf8.encode(keys[row]!.replace(NUL, '')))
  } catch {
    // What has no hash is read again by the next scan.
  }
  unhashed.clear()
  if (table.isEnded) table.keys = joined(keys)
}

export function hashSoon(reference: WeakRef<Table>): void {
  try {
    const timer: unknown = setTimeout(() => {
      const table = reference.deref()
      if (table !== undefined) hashTexts(table)
    }, HASH_AFTER_MS)
    // In browsers a timer is a number, which keeps no process alive.
    ;(timer as { unref?: () => void } | null | undefined)?.unref?.()
  } catch {
    // Where there are no timers, the next scan hashes them.
  }
}

/** Whether the scan of a table is over, so that the table does not change any more. Tables without hashes never match. */
export function isShareable({ keys }: Table): boolean {
  return typeof keys === 'string'
}

export function isAt({ keys, folderNames }: Table, row: number, key: string, folderName: string | undefined): boolean {
  if (row >= folderNames.length || folderNames[row] !== folderName) return false
  return typeof keys === 'string'
    ? key.length === HASH_CHARS && keys.startsWith(key, row * HASH_CHARS)
    : keys[row] === key
}

export function keyAt({ keys }: Table, row: number): string {
  return typeof keys === 'string' ? keys.slice(row * HASH_CHARS, (row + 1) * HASH_CHARS) : keys[row]!
}
