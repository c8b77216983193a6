import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { normalizeName, isObject, unicodeExpression } from '@repertoire/skill-md/internal'
import { realOrResolved } from './report-sources.ts'
import { lockedFolderName, lockedOriginText, type LockedOrigin } from '../../store/locked-origin.ts'

/** The lock of a project, and what a store of files keeps beside its skills. */
const [LOCK, STORED] = ['skills-lock.json', '.repertoire/origins.json'] as const
/** Controls, formatting characters and code points without a character. */
const INVISIBLE = unicodeExpression(String.raw`\p{C}`)

const MAX_BYTES = 16 * 1024 * 1024

/** The most levels of folders between a lock and the skills that it names. */
const MAX_LEVELS = 5
const DEFAULT_FOLDER = '.agents/skills'

/** The longest origin that is shown, in characters. */
const MAX_ORIGIN_CHARS = 2_000

/** A file, as a lock has it. Nothing of it was checked. */
interface Digest {
  readonly sha256?: unknown
  readonly executable?: unknown
}

/** An entry of a lock about a skill of a folder. */
export interface LockedEntry {
  /** The names that its folder may have. */
  readonly names: ReadonlySet<string>
  readonly files: ReadonlyMap<string, Digest>
  readonly isHome: boolean
}

export interface Installed {
  /** Where they came from, by the names of their folders. */
  readonly origins: ReadonlyMap<string, string>
  /** The entries with digests. */
  readonly locked: readonly LockedEntry[]
  /** The lock of this folder's project, if it cannot be read. */
  readonly brokenLock: string | undefined
}

/**
 * Reads what the lock of a folder's project, and its store, say about its skills.
 * @param root the folder with the skills' folders
 */
export function readInstalled(root: string): Installed {
  const origins = new Map<string, string>()
  const locked: LockedEntry[] = []
  let brokenLock: string | undefined
  const real = realOrResolved(root)
  let folder = real
  for (let level = 0; level <= MAX_LEVELS; level++) {
    const path = join(folder, LOCK)
    const lock = readJson(path)
    for (const [name, entry] of entriesOf(lock, 'skills')) {
      if (!isObject(entry)) continue
      const pin = Object(entry['repertoire']) as Readonly<Record<string, unknown>>
      if (!isIn(folder, real, pin)) continue
      const names = new Set([name, lockedFolderName(name), normalizeName(name)])
      // The lock that is nearest to the skills counts.
      if (locked.some((each) => each.names.has(name))) continue
      const origin = isLockedOrigin(entry) ? lockedOriginText(entry) : undefined
      for (const each of names) if (!origins.has(each)) add(origins, each, origin)
      if (!isObject(pin['files'])) continue
      const files = new Map(Object.entries(pin['files']).map(([file, digest]) => [file, Object(digest) as Digest]))
      locked.push({ names, files, isHome: join(folder, homeIn(folder, pin)) === real })
    }
    if (lock !== undefined && !isLock(lock) && join(folder, homeIn(folder, {})) === real) brokenLock = path
    if (dirname(folder) === folder) break
    folder = dirname(folder)
  }
  for (const [name, origin] of entriesOf(readJson(join(real, STORED)), 'origins')) add(origins, name, origin)
  return { origins, locked, brokenLock }
}

/** The folder that a lock says a skill was installed to, relative to the lock. */
function homeIn(lockFolder: string, { folder }: Readonly<Record<string, unknown>>): string {
  if (typeof folder === 'string') return folder
  return basename(lockFolder) === '.agents' ? 'skills' : DEFAULT_FOLDER
}

/** Whether a lock has a skill in a folder: its own, or that of another client. */
function isIn(lockFolder: string, root: string, pin: Readonly<Record<string, unknown>>): boolean {
  const also: readonly unknown[] = Array.isArray(pin['also']) ? pin['also'] : []
  return [homeIn(lockFolder, pin), ...also].some(
    (place) => typeof place === 'string' && join(lockFolder, place) === root,
  )
}

function isLockedOrigin(entry: unknown): entry is LockedOrigin {
  const values = Object(entry) as Readonly<Record<string, unknown>>
  const isText = (key: string): boolean => typeof values[key] === 'string'
  return (
    isText('source') &&
    isText('sourceType') &&
    ['sourceUrl', 'ref', 'skillPath'].every((key) => values[key] === undefined || isText(key))
  )
}

function add(origins: Map<string, string>, name: string, origin: unknown): void {
  if (typeof origin === 'string' && origin.length <= MAX_ORIGIN_CHARS && !INVISIBLE().test(origin)) {
    origins.set(name, origin)
  }
}

/** The entries of an object that a file has under a name; none if it has no such object. */
function entriesOf(json: unknown, name: string): readonly (readonly [string, unknown])[] {
  const { [name]: found } = Object(json) as Readonly<Record<string, unknown>>
  return isObject(found) ? Object.entries(found) : []
}

/** Whether it is a lock of the known version. What another one says about the skills is not known. */
function isLock(json: unknown): boolean {
  const { version, skills } = Object(json) as Readonly<Record<string, unknown>>
  return version === 1 && isObject(skills) && Object.values(skills).every(isObject)
}

/** Undefined: there is no such file. Null: it is not JSON. */
function readJson(path: string): unknown {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    return stats.isFile() && stats.size <= MAX_BYTES ? JSON.parse(readFileSync(path, 'utf8')) : null
  } catch {
    return null
  }
}
