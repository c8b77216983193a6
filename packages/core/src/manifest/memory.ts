import type { Manifest, Profile } from '../types.ts'
import type { Told } from './diagnostics.ts'
import { Metadata } from './metadata.ts'

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
  /** Gives back what is kept: findings that are the same in many files are one. */
  keep(key: string, place: Place, manifest: Manifest, told: readonly Told[]): Metadata
  /** Ends the scan. What it gives is held for as long as what was read is to be known to later scans. */
  end(): object
}

/** In the order of the scan. Side by side: a map of objects would take twice the memory. */
interface Table {
  readonly profile: Profile
  /** One of each frontmatter, or all hashes as one text. */
  keys: string[] | string
  manifests: Manifest[]
  tolds: (readonly Told[])[]
  folderNames: (string | undefined)[]
}

/** A hash's characters. */
const HASH = 32
const MOST_SCANS = 4

/** The last scans of the program that someone still holds, latest first. */
let recent: readonly WeakRef<Table>[] = []

/** The memory of a new scan. It knows what the last scans with its profile read. */
export function createMemory(profile: Profile): Memory {
  const known = recent.flatMap((reference) => reference.deref() ?? [])
  const keys: string[] = []
  const own: Table = { profile, keys, manifests: [], tolds: [], folderNames: [] }
  const tables = [own, ...known].slice(0, MOST_SCANS)
  recent = tables.map((table) => new WeakRef(table))
  // What this scan read itself comes last: in the others a skill mostly stands behind the one before it.
  const usable = [...tables.slice(1).filter((table) => table.profile === profile), own]
  const finders = usable.map(createFinder)
  const findings = new Map<string, (readonly Told[])[]>()

  const add = (key: string, { path, folderName }: Place, manifest: Manifest, told: readonly Told[]): Metadata => {
    keys.push(key)
    own.manifests.push(manifest)
    own.tolds.push(told)
    own.folderNames.push(folderName)
    return new Metadata(path, manifest, told)
  }
  return {
    recall(key, place) {
      for (let index = 0; index < usable.length; index++) {
        const at = finders[index]!(key, place.folderName)
        if (at === -1) continue
        const { manifests, tolds } = usable[index]!
        return add(key, place, manifests[at]!, tolds[at]!)
      }
      return undefined
    },
    keep: (key, place, manifest, told) => add(key, place, manifest, told.length === 0 ? told : share(told, findings)),
    end() {
      own.keys = keys.every(({ length }) => length === HASH) ? keys.join('') : keys.slice()
      // An array that has grown has room for more; a copy has none.
      own.manifests = own.manifests.slice()
      own.tolds = own.tolds.slice()
      own.folderNames = own.folderNames.slice()
      return own
    },
  }
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
    for (let index = keys.indexOf(key); index !== -1; index = keys.indexOf(key, index + 1)) {
      const at = index / HASH
      if (Number.isInteger(at) && folderNames[at] === folderName) return new Metadata(path, manifests[at], tolds[at]!)
    }
  }
  return undefined
}

/** Gives the place of a frontmatter in a table, or -1. */
function createFinder(table: Table): (key: string, folderName: string | undefined) => number {
  let next = 0
  let places: Map<string, number> | undefined
  let mapped = 0
  return (key, folderName) => {
    // A scan comes by the same folders in the same order as the one before.
    if (!isAt(table, next, key, folderName)) {
      places ??= new Map()
      for (; mapped < table.manifests.length; mapped++) places.set(keyAt(table, mapped), mapped)
      const found = places.get(key)
      if (found === undefined || table.folderNames[found] !== folderName) return -1
      next = found
    }
    return next++
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
function share(told: readonly Told[], findings: Map<string, (readonly Told[])[]>): readonly Told[] {
  if (told.length > 1) return told.map((one) => share([one], findings)[0]!)
  const { line, words, subject, other } = told[0]!
  if (typeof words !== 'function' || other !== '') return told
  const alike = findings.get(subject)
  if (alike === undefined) findings.set(subject, [told])
  else {
    for (let index = 0; index < alike.length; index++) {
      const [known] = alike[index] as readonly [Told]
      if (known.line === line && known.words === words) return alike[index]!
    }
    alike.push(told)
  }
  return told
}
