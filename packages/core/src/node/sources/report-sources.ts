import { existsSync, realpathSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { showName } from '@repertoire/skill-md/internal'
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

/** Entries of a folder that are looked at, to find one that is a skill. */
const MAX_ENTRIES = 500

/**
 * Returns a source without skills. It reports a project that does not exist, and the folders of other clients that hold
 * skills and are not searched, each with the line that adds it. None if there is nowhere to look.
 * @param options.places folders whose standard folders are searched, such as the home folder and the project
 * @param options.folders the folders that are searched in each
 * @param options.searched every folder that some source searches, by its real path
 */
export function otherPlacesSource(options: {
  readonly project: string | false
  readonly places: readonly (string | false)[]
  readonly folders: readonly string[]
  readonly searched: ReadonlySet<string>
}): readonly SkillSource[] {
  const { project, folders, searched } = options
  const places = options.places.filter((place) => place !== false)
  if (project === false && places.length === 0) return []
  const scan = (): readonly ScanFinding[] => {
    if (project !== false && !existsSync(project)) return [rootMissing(project)]
    if (project !== false && !statSync(project).isDirectory()) return [rootNotAFolder(project)]
    const seen = new Set(searched)
    return places.flatMap((place) =>
      OTHER_FOLDERS.flatMap((name) => {
        const path = join(place, name)
        const real = realOrResolved(path)
        if (seen.has(real) || !holdsSkill(path)) return []
        seen.add(real)
        return [placeNotSearched(path, [...folders, name])]
      }),
    )
  }
  return [{ id: 'other-places', layer: 'project', places: [], scan }]
}

function holdsSkill(path: string): boolean {
  const folders = foldersIn(path).slice(0, MAX_ENTRIES)
  return [path, ...folders.map((name) => join(path, name))].some((folder) => existsSync(join(folder, 'SKILL.md')))
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
    hint: 'Check its path, and the folder that paths start from.',
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

/** None of a file, and of a folder that may not be read. */
function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]))
  } catch {
    return []
  }
}
