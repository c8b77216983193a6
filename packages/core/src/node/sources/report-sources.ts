import { existsSync, opendirSync, realpathSync, readdirSync, statSync } from 'node:fs'
import { join, resolve, basename, dirname } from 'node:path'
import { nearestNames, type Layer, showName } from '@repertoire/skill-md/internal'
import { placeNotSearched, rootNotAFolder, type ScanFinding } from './scan-report.ts'
import type { SkillSource } from '../../ports/source.ts'
import { STANDARD_FOLDERS } from './standard-folders.ts'

/** Where other clients keep skills, relative to a project's folder and to the home folder. */
const OTHER_FOLDERS: readonly string[] = [
  'skills',
  '.agent/skills',
  '.github/skills',
  '.codex/skills',
  '.cursor/skills',
  '.gemini/skills',
  '.opencode/skills',
]

/** What the hints depend on. */
interface OtherPlacesOptions {
  /** The home folder, if the standard folders in it are searched; otherwise false. */
  readonly home: string | false
  /** The project's folder, if it is trusted and the standard folders in it are searched; otherwise false. */
  readonly project: string | false
  /** The folders that are searched in both. */
  readonly folders: readonly string[]
  /** Every folder that some source searches, by its real path. */
  readonly searched: ReadonlySet<string>
}

/** Entries of a folder that are looked at, to find one that is a skill. */
const MAX_ENTRIES = 500

/**
 * Returns a source without skills. It reports the folders of other clients that hold skills and are not searched, each
 * with the line that adds it.
 */
export function otherPlacesSource(options: OtherPlacesOptions): SkillSource {
  return findingsSource('other-places', 'personal', () => findOtherPlaces(options))
}

function findOtherPlaces({ home, project, folders, searched }: OtherPlacesOptions): readonly ScanFinding[] {
  const bases = [project, home].filter((base) => base !== false)
  const places = bases.flatMap((base) => OTHER_FOLDERS.map((name) => ({ name, path: join(base, name) })))
  const seen = new Set(searched)
  const found: ScanFinding[] = []
  for (const { name, path } of places) {
    if (!existsSync(path)) continue
    const real = realOrResolved(path)
    if (seen.has(real) || !holdsSkill(path)) continue
    seen.add(real)
    found.push(placeNotSearched(path, [...folders, name]))
  }
  return found
}

/** Whether a folder is a skill, or one of its first entries is. */
function holdsSkill(path: string): boolean {
  try {
    if (existsSync(join(path, 'SKILL.md'))) return true
    const folder = opendirSync(path)
    try {
      for (let count = 0; count < MAX_ENTRIES; count++) {
        const entry = folder.readSync()
        if (entry === null) return false
        if (existsSync(join(path, entry.name, 'SKILL.md'))) return true
      }
    } finally {
      folder.closeSync()
    }
  } catch {
    // A file, or a folder that may not be read: nothing that could be added.
  }
  return false
}

/** Returns the real path of a folder; as it is written if it does not exist. */
export function realOrResolved(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

/** A folder that the program named does not exist. */
export function rootMissing(path: string): ScanFinding {
  return {
    code: 'ROOT_MISSING',
    severity: 'warning',
    path,
    message: `${showName(path)} does not exist, so no skill was loaded from it.`,
    hint: nearestFolder(path),
  }
}

/** A folder that the program named holds no skill. */
export function rootWithoutSkills(path: string): ScanFinding {
  const inside = [...STANDARD_FOLDERS, 'skills'].map((name) => join(path, name)).find(holdsSkill)
  return {
    code: 'ROOT_WITHOUT_SKILLS',
    severity: 'warning',
    path,
    message: `${showName(path)} holds no skill.`,
    hint:
      inside === undefined
        ? 'Name the folder that holds the folders of skills, each with a SKILL.md.'
        : `${showName(inside)} holds some: name that folder.`,
  }
}

/**
 * Returns a source without skills. It reports each name of a folder that none of several places has, or has skills in.
 * @param places absolute folders, such as the home folder and the project
 */
export function namedFoldersSource(names: readonly string[], places: readonly string[]): SkillSource {
  return findingsSource('named-folders', 'personal', () =>
    names.flatMap((name) => {
      const paths = places.map((place) => join(place, name))
      if (paths.some(holdsSkill)) return []
      const there = paths.findLast((path) => existsSync(path))
      return [there === undefined ? rootMissing(paths.at(-1)!) : rootWithoutSkills(there)]
    }),
  )
}

/** Returns a source without skills. It reports a project that does not exist, or is a file. None: it is a folder. */
export function missingProjectSource(project: string): readonly SkillSource[] {
  const find = (): readonly ScanFinding[] => {
    if (!existsSync(project)) return [rootMissing(project)]
    return statSync(project).isDirectory() ? [] : [rootNotAFolder(project)]
  }
  return find().length === 0 ? [] : [findingsSource('project', 'project', find)]
}

function findingsSource(id: string, layer: Layer, find: () => readonly ScanFinding[]): SkillSource {
  return { id, layer, places: [], scan: find }
}

/** Names the folder that was most likely meant, or the nearest one above that exists. */
function nearestFolder(path: string): string {
  const parent = dirname(path)
  if (parent === path) return 'Pass the folder that holds the skills.'
  if (!existsSync(parent)) return nearestFolder(parent)
  const [nearest] = nearestNames(basename(path), foldersIn(parent), 1)
  return nearest === undefined
    ? `The nearest folder that exists is ${showName(parent)}.`
    : `Did you mean ${showName(join(parent, nearest))}?`
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}
