import type { Manifest, Profile } from '../../ports/manifest.ts'
import type { CompactDiagnostic } from '../diagnostics.ts'
import { Metadata } from '../metadata.ts'

/** Returns the SHA-256 of bytes as 32 characters, one per byte: a Latin-1 string stores it in 32 bytes. */
export type BytesHash = (bytes: Uint8Array) => string

/** The file that a frontmatter is in. */
interface FileContext {
  /** Not remembered: diagnostics get it when they are materialised. */
  readonly path: string
  readonly folderName?: string
}

/**
 * The results of the frontmatters of one scan. Most skills are unchanged in the next scan, and the same text in a folder
 * of the same name has the same manifest and diagnostics, so it is not read again.
 */
export interface Memory {
  /**
   * Returns the result of a frontmatter in a folder of this name, from this scan or an earlier one.
   * @param key the SHA-256 of its bytes, or its text: different frontmatters never have the same key
   */
  recall(key: string, file: FileContext): Metadata | undefined
  /** Returns the length of the next frontmatter if this scan continues like the last one; -1 if it is unknown. */
  expectedBytes(): number
  /**
   * Remembers a result and returns it in the form that is kept: files with an equal diagnostic share one object.
   * @param bytes the length of the frontmatter
   */
  keep(
    key: string,
    file: FileContext,
    manifest: Manifest,
    diagnostics: readonly CompactDiagnostic[],
    bytes: number,
  ): Metadata
  /** Ends the scan. Later scans can recall its results as long as the returned object is referenced. */
  end(): object
}

/** Results in the order of the scan. Stored as columns: a map of objects would take twice the memory. */
interface Table {
  readonly profile: Profile
  /** The key of each frontmatter, or all hashes in one string. */
  keys: string[] | string
  manifests: Manifest[]
  diagnostics: (readonly CompactDiagnostic[])[]
  folderNames: (string | undefined)[]
  /** The lengths of the frontmatters, in bytes: 32 KiB at most. */
  lengths: number[] | Uint16Array
}

/** The length of a hash. */
const HASH_CHARS = 32
const MAX_SCANS = 4

/** The last scans of the program whose catalogs are still in use, latest first. */
let recent: readonly WeakRef<Table>[] = []

/** Returns the memory of a new scan. It can recall the results of the last scans with the same profile. */
export function createMemory(profile: Profile): Memory {
  const earlier = recent.flatMap((reference) => reference.deref() ?? [])
  const keys: string[] = []
  const lengths: number[] = []
  const current: Table = { profile, keys, manifests: [], diagnostics: [], folderNames: [], lengths }
  const tables = [current, ...earlier].slice(0, MAX_SCANS)
  recent = tables.map((table) => new WeakRef(table))
  // This scan's table is searched last: in the others the next skill is mostly in the next row.
  const usable = [...tables.slice(1).filter((table) => table.profile === profile), current]
  const finders = usable.map(createFinder)
  // Diagnostics that are the only one of their file, by subject: equal ones share one array.
  const singles = new Map<string, (readonly CompactDiagnostic[])[]>()

  // Most scans find the same as an earlier one. As long as this one does, from the first file on, it shares that scan's
  // table.
  let shared: Table | undefined
  let sharedRows = 0

  const append = (
    key: string,
    folderName: string | undefined,
    manifest: Manifest,
    diagnostics: readonly CompactDiagnostic[],
    length: number,
  ): void => {
    keys.push(key)
    current.manifests.push(manifest)
    current.diagnostics.push(diagnostics)
    current.folderNames.push(folderName)
    lengths.push(length)
  }
  const appendRow = (table: Table, row: number, key: string): void =>
    append(key, table.folderNames[row], table.manifests[row]!, table.diagnostics[row]!, table.lengths[row]!)
  /** From here on, this scan has its own table. */
  const stopSharing = (): void => {
    const table = shared
    shared = undefined
    if (table === undefined) return
    for (let row = 0; row < sharedRows; row++) appendRow(table, row, keyAt(table, row))
  }
  return {
    recall(key, { path, folderName }) {
      for (let index = 0; index < usable.length; index++) {
        const row = finders[index]!.find(key, folderName)
        if (row === -1) continue
        const table = usable[index]!
        if (row === 0 && keys.length === 0 && shared === undefined && isEnded(table)) shared = table
        if (table === shared && row === sharedRows) sharedRows++
        else {
          stopSharing()
          appendRow(table, row, key)
        }
        return new Metadata(path, table.manifests[row], table.diagnostics[row]!)
      }
      return undefined
    },
    expectedBytes: () => (usable.length > 1 ? (usable[0]!.lengths[finders[0]!.next()] ?? -1) : -1),
    keep(key, { path, folderName }, manifest, found, bytes) {
      const diagnostics = found.length === 0 ? found : shareEqual(found, singles)
      stopSharing()
      append(key, folderName, manifest, diagnostics, bytes)
      return new Metadata(path, manifest, diagnostics)
    },
    end() {
      if (shared?.manifests.length === sharedRows) return Object.assign(current, shared)
      stopSharing()
      current.keys = keys.every(({ length }) => length === HASH_CHARS) ? keys.join('') : keys.slice()
      // An array that has grown has spare capacity; a copy has none.
      current.manifests = current.manifests.slice()
      current.diagnostics = current.diagnostics.slice()
      current.folderNames = current.folderNames.slice()
      current.lengths = Uint16Array.from(lengths)
      return current
    },
  }
}

/** Whether the scan of a table is over, so that the table does not change any more. Tables without hashes never match. */
function isEnded({ keys }: Table): boolean {
  return typeof keys === 'string'
}

/**
 * Returns the result of a frontmatter from the last scans, for a caller that reads a single file.
 * @param key the SHA-256 of its bytes
 */
export function recallOne(key: string, { path, folderName }: FileContext, profile: Profile): Metadata | undefined {
  if (key.length !== HASH_CHARS) return undefined
  for (const reference of recent) {
    const table = reference.deref()
    if (table?.profile !== profile || typeof table.keys !== 'string') continue
    const { keys, manifests, diagnostics, folderNames } = table
    const likely = rowByName(folderNames, folderName)
    if (isAt(table, likely, key, folderName)) return new Metadata(path, manifests[likely], diagnostics[likely]!)
    for (let index = keys.indexOf(key); index !== -1; index = keys.indexOf(key, index + 1)) {
      const row = index / HASH_CHARS
      if (Number.isInteger(row) && folderNames[row] === folderName) {
        return new Metadata(path, manifests[row], diagnostics[row]!)
      }
    }
  }
  return undefined
}

/** Returns the row of a folder, if the scan visited folders sorted by name, as it does within one parent folder. */
function rowByName(folderNames: readonly (string | undefined)[], folderName = ''): number {
  let low = 0
  let high = folderNames.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((folderNames[middle] ?? '') < folderName) low = middle + 1
    else high = middle
  }
  return low
}

interface Finder {
  /** Returns the row of a frontmatter in the table, or -1. */
  find(key: string, folderName: string | undefined): number
  /** Returns the row that is tried first: the one after the last match. */
  next(): number
}

function createFinder(table: Table): Finder {
  const { folderNames } = table
  let next = 0
  let rows: Map<string, number> | undefined
  let mapped = 0
  let sorted = 0
  /** Whether a name comes after those of all rows, so that none has it. Folders are mostly visited sorted by name. */
  const isAfterAll = (folderName: string | undefined): boolean => {
    while (sorted !== -1 && sorted < folderNames.length) {
      sorted = sorted === 0 || isBefore(folderNames[sorted - 1], folderNames[sorted]) ? sorted + 1 : -1
    }
    return sorted > 0 && isBefore(folderNames[sorted - 1], folderName)
  }
  return {
    find(key, folderName) {
      // A scan mostly visits the same folders in the same order as the previous one.
      if (!isAt(table, next, key, folderName)) {
        if (isAfterAll(folderName)) return -1
        rows ??= new Map()
        for (; mapped < table.manifests.length; mapped++) rows.set(keyAt(table, mapped), mapped)
        const found = rows.get(key)
        if (found === undefined || table.folderNames[found] !== folderName) return -1
        next = found
      }
      return next++
    },
    next: () => next,
  }
}

/** Code units, by which names are sorted. A missing name is not before any other. */
function isBefore(name: string | undefined, other: string | undefined): boolean {
  return name !== undefined && other !== undefined && name < other
}

function isAt({ keys, folderNames }: Table, row: number, key: string, folderName: string | undefined): boolean {
  if (row >= folderNames.length || folderNames[row] !== folderName) return false
  return typeof keys === 'string'
    ? key.length === HASH_CHARS && keys.startsWith(key, row * HASH_CHARS)
    : keys[row] === key
}

function keyAt({ keys }: Table, row: number): string {
  return typeof keys === 'string' ? keys.slice(row * HASH_CHARS, (row + 1) * HASH_CHARS) : keys[row]!
}

/**
 * Returns equal diagnostics; for one with the same text, subject and line as in an earlier file, that file's object. A
 * text function is used with one code only, and in one profile with one severity, so these need no comparison.
 */
function shareEqual(
  diagnostics: readonly CompactDiagnostic[],
  singles: Map<string, (readonly CompactDiagnostic[])[]>,
): readonly CompactDiagnostic[] {
  if (diagnostics.length > 1) return diagnostics.map((diagnostic) => shareEqual([diagnostic], singles)[0]!)
  const { line, text, subject, other } = diagnostics[0]!
  if (typeof text !== 'function' || other !== '') return diagnostics
  const sameSubject = singles.get(subject)
  if (sameSubject === undefined) singles.set(subject, [diagnostics])
  else {
    for (let index = 0; index < sameSubject.length; index++) {
      const known = sameSubject[index]![0]!
      if (known.line === line && known.text === text) return sameSubject[index]!
    }
    sameSubject.push(diagnostics)
  }
  return diagnostics
}
