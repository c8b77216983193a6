import type { Manifest, Profile } from '../../ports/manifest.ts'
import type { CompactDiagnostic } from '../diagnostics.ts'
import { Metadata } from '../metadata.ts'
import { createFinder, rowByName } from './find-row.ts'
import { HASH_CHARS, hashSoon, hashTexts, isAt, isShareable, joined, keyAt } from './memory-table.ts'
import type { BytesHash, Table } from './memory-table.ts'

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
   * @param key the SHA-256 of its bytes, or the `textKey` of its text: different frontmatters never have the same key
   * @param hashLater see `keep`
   */
  recall(key: string, file: FileContext, hashLater?: BytesHash): Metadata | undefined
  /**
   * Whether frontmatters are to be hashed at once. The first scan of a program has nothing to recall, and loading and
   * warming up the machine's cryptography takes a tenth of it: its keys are texts, which are hashed after it.
   */
  readonly hashesNow: boolean
  /** Returns the length of the next frontmatter if this scan continues like the last one; -1 if it is unknown. */
  expectedBytes(): number
  /**
   * Remembers a result and returns it in the form that is kept: files with an equal diagnostic share one object.
   * @param manifest undefined: the frontmatter is broken, and its diagnostics say why
   * @param bytes the length of the frontmatter
   * @param hashLater given if the key is the text of a frontmatter that later scans look for by its hash
   */
  keep(
    key: string,
    file: FileContext,
    manifest: Manifest | undefined,
    diagnostics: readonly CompactDiagnostic[],
    bytes: number,
    hashLater?: BytesHash,
  ): Metadata
  /** Ends the scan. Later scans can recall its results as long as the returned object is referenced. */
  end(): object
}

const MAX_SCANS = 4

/** How much of the frontmatters is kept as text until it is hashed, in UTF-16 code units: that of some 2,000 skills. */
const MAX_TEXT_CHARS = 1024 * 1024

/** The last scans of the program whose catalogs are still in use, latest first. */
let recent: readonly WeakRef<Table>[] = []

/** Returns the memory of a new scan. It can recall the results of the last scans with the same profile. */
export function createMemory(profile: Profile): Memory {
  const earlier = recent.flatMap((reference) => reference.deref() ?? [])
  for (const table of earlier) hashTexts(table)
  const keys: string[] = []
  const lengths: number[] = []
  const unhashed = new Map<number, BytesHash>()
  let textChars = 0
  const current: Table = {
    profile,
    keys,
    manifests: [],
    diagnostics: [],
    folderNames: [],
    lengths,
    unhashed,
    isEnded: false,
  }
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
    manifest: Manifest | undefined,
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
    append(key, table.folderNames[row], table.manifests[row], table.diagnostics[row]!, table.lengths[row]!)
  /** From here on, this scan has its own table. */
  const stopSharing = (): void => {
    const table = shared
    shared = undefined
    if (table === undefined) return
    for (let row = 0; row < sharedRows; row++) appendRow(table, row, keyAt(table, row))
  }
  return {
    recall(key, { path, folderName }, hashLater) {
      for (let index = 0; index < usable.length; index++) {
        const row = finders[index]!.find(key, folderName)
        if (row === -1) continue
        const table = usable[index]!
        if (row === 0 && keys.length === 0 && shared === undefined && isShareable(table)) shared = table
        if (table === shared && row === sharedRows) sharedRows++
        else {
          stopSharing()
          if (hashLater !== undefined) unhashed.set(keys.length, hashLater)
          appendRow(table, row, key)
        }
        return new Metadata(path, table.manifests[row], table.diagnostics[row]!)
      }
      return undefined
    },
    get hashesNow() {
      return usable.length > 1 || textChars > MAX_TEXT_CHARS
    },
    expectedBytes: () => (usable.length > 1 ? (usable[0]!.lengths[finders[0]!.next()] ?? -1) : -1),
    keep(key, { path, folderName }, manifest, found, bytes, hashLater) {
      const diagnostics = found.length === 0 ? found : shareEqual(found, singles)
      stopSharing()
      if (hashLater !== undefined) {
        unhashed.set(keys.length, hashLater)
        textChars += key.length
      }
      append(key, folderName, manifest, diagnostics, bytes)
      return new Metadata(path, manifest, diagnostics)
    },
    end() {
      if (shared?.manifests.length === sharedRows) return Object.assign(current, shared)
      stopSharing()
      current.isEnded = true
      current.keys = unhashed.size > 0 ? keys.slice() : joined(keys)
      // An array that has grown has spare capacity; a copy has none.
      current.manifests = current.manifests.slice()
      current.diagnostics = current.diagnostics.slice()
      current.folderNames = current.folderNames.slice()
      current.lengths = Uint16Array.from(lengths)
      if (keys.length > unhashed.size) hashTexts(current)
      else if (unhashed.size > 0) hashSoon(new WeakRef(current))
      return current
    },
  }
}

/**
 * Returns the result of a frontmatter from the last scans, for a caller that reads a single file.
 * @param key the SHA-256 of its bytes
 */
export function recallOne(key: string, { path, folderName }: FileContext, profile: Profile): Metadata | undefined {
  if (key.length !== HASH_CHARS) return undefined
  for (const reference of recent) {
    const table = reference.deref()
    if (table?.profile !== profile) continue
    hashTexts(table)
    if (typeof table.keys !== 'string') continue
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
