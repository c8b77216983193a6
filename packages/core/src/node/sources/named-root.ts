import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearestNames, type Layer, showName } from '@repertoire/skill-md/internal'
import { searchLater } from '../../catalog/scan-sources.ts'
import type { SkillSource } from '../../ports/source.ts'
import { holdsSkill } from './other-places.ts'
import { rootNotAFolder, type ScanFinding } from './scan-report.ts'
import { STANDARD_FOLDERS } from './standard-folders.ts'

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
  return { id, layer, scan: async (visitor) => searchLater(visitor, find) }
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
