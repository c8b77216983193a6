import type { Manifest, Profile } from '../../ports/manifest.ts'
import type { CompactDiagnostic } from '../diagnostics.ts'
import { Metadata } from '../metadata.ts'

/** Where a frontmatter stands. Its path is no part of what it says: diagnostics are told of it when they are worded. */
interface Place {
  readonly path: string
  readonly folderName?: string
}

/**
 * What was read of the frontmatters of one scan. Most skills are the same in the next one, and what a text that is the
 * same gives in the same place is the same: then it is not read again.
 */
export interface Memory {
  /**
   * What a frontmatter gave in a folder of this name, in this scan or one before it.
   * @param key the SHA-256 of its bytes, or its text: two that differ never have the same
   */
  recall(key: string, place: Place): Metadata | undefined
  /** How many bytes the next file's frontmatter has, if this scan goes on as the last one did; -1 where none is known. */
  expected(): number
  /**
   * Gives back what is kept: findings that are the same in many files are one.
   * @param length of the frontmatter, in bytes
   */
  keep(key: string, place: Place, manifest: Manifest, told: readonly CompactDiagnostic[], length: number): Metadata
  /** Ends the scan. What it gives is held for as long as what was read is to be known to later scans. */
  end(): object
}

/** In the order of the scan. Side by side: a map of objects would take twice the memory. */
interface Table {
  readonly profile: Profile
  /** One of each frontmatter, or all hashes as one text. */
  keys: string[] | string
  manifests: Manifest[]
  tolds: (readonly CompactDiagnostic[])[]
  folderNames: (string | undefined)[]
  /** Of the frontmatters, in bytes: 32 KiB at most. */
  lengths: number[] | Uint16Array
}

/** A hash's characters. */
const HASH = 32
const MAX_SCANS = 4

/** The last scans of the program that someone still holds, latest first. */
let recent: readonly WeakRef<Table>[] = []

/** The memory of a new scan. It knows what the last scans with its profile read. */
export function createMemory(profile: Profile): Memory {
  const known = recent.flatMap((reference) => reference.deref() ?? [])
  const keys: string[] = []
  const lengths: number[] = []
  const own: Table = { profile, keys, manifests: [], tolds: [], folderNames: [], lengths }
  const tables = [own, ...known].slice(0, MAX_SCANS)
  recent = tables.map((table) => new WeakRef(table))
  // What this scan read itself comes last: in the others a skill mostly stands behind the one before it.
  const usable = [...tables.slice(1).filter((table) => table.profile === profile), own]
  const finders = usable.map(createFinder)
  const findings = new Map<string, (readonly CompactDiagnostic[])[]>()

  // Most scans find what one before them found. As long as this one does, from the first file on, that one's table is
  // its own too.
  let same: Table | undefined
  let alike = 0

  const put = (
    key: string,
    folderName: string | undefined,
    manifest: Manifest,
    told: readonly CompactDiagnostic[],
    length: number,
  ) => {
    keys.push(key)
    own.manifests.push(manifest)
    own.tolds.push(told)
    own.folderNames.push(folderName)
    lengths.push(length)
  }
  const again = (table: Table, at: number, key: string): void =>
    put(key, table.folderNames[at], table.manifests[at]!, table.tolds[at]!, table.lengths[at]!)
  /** Ends what is alike: from here on, this scan has a table of its own. */
  const part = (): void => {
    const before = same
    same = undefined
    if (before === undefined) return
    for (let at = 0; at < alike; at++) again(before, at, keyAt(before, at))
  }
  return {
    recall(key, { path, folderName }) {
      for (let index = 0; index < usable.length; index++) {
        const at = finders[index]!.find(key, folderName)
        if (at === -1) continue
        const table = usable[index]!
        if (at === 0 && keys.length === 0 && same === undefined && isEnded(table)) same = table
        if (table === same && at === alike) alike++
        else {
          part()
          again(table, at, key)
        }
        return new Metadata(path, table.manifests[at], table.tolds[at]!)
      }
      return undefined
    },
    expected: () => (usable.length > 1 ? (usable[0]!.lengths[finders[0]!.next()] ?? -1) : -1),
    keep(key, { path, folderName }, manifest, found, length) {
      const told = found.length === 0 ? found : share(found, findings)
      part()
      put(key, folderName, manifest, told, length)
      return new Metadata(path, manifest, told)
    },
    end() {
      if (same?.manifests.length === alike) return Object.assign(own, same)
      part()
      own.keys = keys.every(({ length }) => length === HASH) ? keys.join('') : keys.slice()
      // An array that has grown has room for more; a copy has none.
      own.manifests = own.manifests.slice()
      own.tolds = own.tolds.slice()
      own.folderNames = own.folderNames.slice()
      own.lengths = Uint16Array.from(lengths)
      return own
    },
  }
}

/** Whether the scan of a table with hashes is over, so that it does not change any more. */
function isEnded({ keys }: Table): boolean {
  return typeof keys === 'string'
}

/**
 * What a frontmatter gave in the last scans, for whoever asks for one alone.
 * @param key the SHA-256 of its bytes
 */
export function recallOne(key: string, { path, folderName }: Place, profile: Profile): Metadata | undefined {
  if (key.length !== HASH) return undefined
  for (const reference of recent) {
    const table = reference.deref()
    if (table?.profile !== profile || typeof table.keys !== 'string') continue
    const { keys, manifests, tolds, folderNames } = table
    const likely = placeByName(folderNames, folderName)
    if (isAt(table, likely, key, folderName)) return new Metadata(path, manifests[likely], tolds[likely]!)
    for (let index = keys.indexOf(key); index !== -1; index = keys.indexOf(key, index + 1)) {
      const at = index / HASH
      if (Number.isInteger(at) && folderNames[at] === folderName) return new Metadata(path, manifests[at], tolds[at]!)
    }
  }
  return undefined
}

/**
 * Where a folder stands if the scan came by all in the order of their names, as it does in one folder of skills: by
 * halves. Where it did not, any place.
 */
function placeByName(folderNames: readonly (string | undefined)[], folderName = ''): number {
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
  /** The place of a frontmatter in the table, or -1. */
  find(key: string, folderName: string | undefined): number
  /** Where it is looked for first: behind the one that was found last. */
  next(): number
}

function createFinder(table: Table): Finder {
  let next = 0
  let places: Map<string, number> | undefined
  let mapped = 0
  return {
    find(key, folderName) {
      // A scan comes by the same folders in the same order as the one before.
      if (!isAt(table, next, key, folderName)) {
        places ??= new Map()
        for (; mapped < table.manifests.length; mapped++) places.set(keyAt(table, mapped), mapped)
        const found = places.get(key)
        if (found === undefined || table.folderNames[found] !== folderName) return -1
        next = found
      }
      return next++
    },
    next: () => next,
  }
}

function isAt({ keys, folderNames }: Table, at: number, key: string, folderName: string | undefined): boolean {
  if (at >= folderNames.length || folderNames[at] !== folderName) return false
  return typeof keys === 'string' ? key.length === HASH && keys.startsWith(key, at * HASH) : keys[at] === key
}

function keyAt({ keys }: Table, at: number): string {
  return typeof keys === 'string' ? keys.slice(at * HASH, (at + 1) * HASH) : keys[at]!
}

/**
 * The same findings; one that a file before has too, with the same words, subject and line, is that file's. Words of one
 * function have one code, and in one profile one severity.
 */
function share(
  told: readonly CompactDiagnostic[],
  findings: Map<string, (readonly CompactDiagnostic[])[]>,
): readonly CompactDiagnostic[] {
  if (told.length > 1) return told.map((one) => share([one], findings)[0]!)
  const { line, words, subject, other } = told[0]!
  if (typeof words !== 'function' || other !== '') return told
  const alike = findings.get(subject)
  if (alike === undefined) findings.set(subject, [told])
  else {
    for (let index = 0; index < alike.length; index++) {
      const [known] = alike[index] as readonly [CompactDiagnostic]
      if (known.line === line && known.words === words) return alike[index]!
    }
    alike.push(told)
  }
  return told
}
