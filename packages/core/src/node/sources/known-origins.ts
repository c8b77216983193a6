import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { normalizeName, isObject, unicodeExpression } from '@repertoire/skill-md/internal'
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

/** Where skills were installed from, by the names of their folders. */
export type KnownOrigins = ReadonlyMap<string, string>

/**
 * Reads where the skills of a folder were installed from: from the lock of the project that it lies in, and from what a
 * store keeps. A file that cannot be read says nothing; `verify` reports a broken lock.
 * @param root the folder with the skills' folders
 */
export function readKnownOrigins(root: string): KnownOrigins {
  const origins = new Map<string, string>()
  const real = realOf(root)
  let folder = real
  for (let level = 0; level <= MAX_LEVELS; level++) {
    addLocked(origins, folder, real)
    if (dirname(folder) === folder) break
    folder = dirname(folder)
  }
  for (const [name, origin] of entriesIn(join(real, STORED), 'origins')) add(origins, name, origin)
  return origins
}

function addLocked(origins: Map<string, string>, folder: string, root: string): void {
  for (const [name, entry] of entriesIn(join(folder, LOCK), 'skills')) {
    if (!isObject(entry) || !isIn(folder, root, entry['repertoire'])) continue
    const origin = isLockedOrigin(entry) ? lockedOriginText(entry) : undefined
    for (const each of new Set([name, lockedFolderName(name), normalizeName(name)])) {
      // The lock that is nearest to the skills counts.
      if (!origins.has(each)) add(origins, each, origin)
    }
  }
}

/** Whether a lock has a skill in a folder: its own, or that of another client. */
function isIn(lockFolder: string, root: string, pin: unknown): boolean {
  const { folder, also } = Object(pin) as Readonly<Record<string, unknown>>
  const own = typeof folder === 'string' ? folder : basename(lockFolder) === '.agents' ? 'skills' : DEFAULT_FOLDER
  const places = [own, ...Object.keys(Object(also) as object)]
  return places.some((place) => join(lockFolder, place) === root)
}

function isLockedOrigin(entry: Readonly<Record<string, unknown>>): entry is LockedOrigin & typeof entry {
  const isText = (key: string): boolean => typeof entry[key] === 'string'
  return (
    isText('source') &&
    isText('sourceType') &&
    ['sourceUrl', 'ref', 'skillPath'].every((key) => entry[key] === undefined || isText(key))
  )
}

function add(origins: Map<string, string>, name: string, origin: unknown): void {
  if (typeof origin === 'string' && origin.length <= MAX_ORIGIN_CHARS && !INVISIBLE().test(origin)) {
    origins.set(name, origin)
  }
}

/** The entries of an object that a file has under a name; none where it has none. */
function entriesIn(path: string, name: string): readonly (readonly [string, unknown])[] {
  const { [name]: found } = Object(readJson(path)) as Readonly<Record<string, unknown>>
  return isObject(found) ? Object.entries(found) : []
}

function readJson(path: string): unknown {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= MAX_BYTES ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  } catch {
    return undefined
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
