import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { showName, SkillError, type Manifest, type Repertoire, type Skill, type SkillFiles } from '@repertoire/core'
import { skillFolder } from '@repertoire/core/node'
import { anyText, checkOptions, listOf, type OptionTable, repertoireKind, required } from '@repertoire/core/options'
import { checkSkillFiles } from '@repertoire/core/stores'
import { findProject, PROJECT_OPTIONS, type ProjectOptions } from '../install/project.ts'
import { compareSkill, namedFiles } from '../lock/compare.ts'
import { folderNameOf, lockedName } from '../lock/folder-name.ts'
import { skillsIn } from '../lock/installed.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import { readFiles, stateOfFiles } from '../lock/pin.ts'
import type { LockedSkill } from '../lock/skills-lock.ts'
import { realPathOf } from '../real-path.ts'

/** Which skills are exported. */
export interface ExportOptions extends ProjectOptions {
  /** The skills of the project, as its host admits them. */
  readonly repertoire: Repertoire
  /** Their names, also of skills that are not in the lock. Default: all of the lock. */
  readonly skills?: readonly string[] | undefined
}

/** The options of every function that exports. */
export const EXPORT_OPTIONS: OptionTable<ExportOptions> = {
  ...PROJECT_OPTIONS,
  repertoire: required(repertoireKind),
  skills: listOf(anyText, 'a list of skill names'),
}

/** A skill that may be exported, with the bytes that were compared with the lock. */
export interface ExportableSkill {
  /** The name of its folder, which every system can keep. */
  readonly folderName: string
  readonly manifest: Manifest
  readonly body: string
  /** Every file, hidden ones too, by its path. */
  readonly files: SkillFiles
}

/**
 * Reads the skills of a project that are admitted, and whose files are those of its lock; skills that are in no lock
 * only by their names. All that are asked for, or none.
 * @throws {SkillError} SKILL_NOT_FOUND (there is no such skill), RESOURCE_REFUSED (not admitted, not active, shadowed,
 * a link), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID
 */
export async function readExportable(name: string, options: ExportOptions): Promise<readonly ExportableSkill[]> {
  checkOptions(name, EXPORT_OPTIONS, options)
  const { repertoire, skills: asked, ...rest } = options
  const { project, folder } = await findProject(rest)
  const { skills: locked } = await readSkillsLock(project)
  if (asked === undefined && locked.size === 0) {
    const message = `Nothing is exported: no skill is in a lock of ${showName(project)}. Name the skills of your own that are meant, check the folder, or install some with "add".`
    throw new SkillError('LOCK_MISSING', message)
  }
  const names = asked?.map((each) => known(each, locked, folder)) ?? [...locked.keys()]
  const found: ExportableSkill[] = []
  const refusals: SkillError[] = []
  for (const each of new Set(names)) {
    const result = await readOne(each, locked.get(each), join(folder, folderNameOf(each)), repertoire)
    if (result instanceof Error) refusals.push(result)
    else found.push(result)
  }
  const [first] = refusals
  if (first === undefined) return found
  throw new SkillError(first.code, refusals.map(({ message }) => message).join('\n'), { cause: first })
}

/** The name of a skill of the lock, or of a folder beside those of the lock. @throws {SkillError} SKILL_NOT_FOUND */
function known(name: string, locked: ReadonlyMap<string, LockedSkill>, folder: string): string {
  const found = lockedName(locked.keys(), name) ?? lockedName(skillsIn(folder), name)
  if (found !== undefined) return found
  const message = `The skill ${showName(name)} is not exported: neither the lock nor ${showName(folder)} has it. Install it with "add", or put it there.`
  throw new SkillError('SKILL_NOT_FOUND', message)
}

async function readOne(
  name: string,
  entry: LockedSkill | undefined,
  location: string,
  repertoire: Repertoire,
): Promise<ExportableSkill | SkillError> {
  const refuse = (code: 'RESOURCE_REFUSED' | 'LOCK_MISMATCH', reason: string): SkillError =>
    new SkillError(code, `The skill ${showName(name)} is not exported: ${reason}`, { path: location })
  const skill = repertoire.catalog.list().find(({ folder }) => realPathOf(folder.location) === realPathOf(location))
  if (skill === undefined) return refuse('RESOURCE_REFUSED', reasonOf(location, repertoire))
  const { files, unread } = await readFiles(skillFolder(location))
  const compared = compareSkill(name, entry, { ...stateOfFiles(files), unread })
  if (compared.state === 'unpinned') {
    return refuse('LOCK_MISMATCH', 'the lock has no digests of its files. Add it again to pin them.')
  }
  // One's own skill is in no lock. It was named, and is exported as it is.
  if (compared.state !== 'unchanged' && compared.state !== 'unlocked') {
    return refuse('LOCK_MISMATCH', `the lock has something else (${namedFiles(compared)}). "verify" shows what.`)
  }
  // As a store judges it: paths that not every system can keep, and sizes.
  const folderName = folderNameOf(name)
  const { manifest, body } = await checkSkillFiles(folderName, files)
  if (isJudged(manifest, skill)) return { folderName, manifest, body, files }
  return refuse('LOCK_MISMATCH', 'it has changed since the catalog was read. Reload the catalog.')
}

/** Whether these bytes are what the host has admitted. A catalog takes from the lock where a skill came from. */
function isJudged(manifest: Manifest, { manifest: listed }: Skill): boolean {
  return isDeepStrictEqual(withoutOrigin(manifest), withoutOrigin(listed))
}

function withoutOrigin(manifest: Manifest): object {
  return { ...manifest, source: undefined, createdBy: undefined }
}

function reasonOf(location: string, { catalog }: Repertoire): string {
  const isThis = ({ folder }: Skill): boolean => realPathOf(folder.location) === realPathOf(location)
  const refused = catalog.refused.find(({ skill }) => isThis(skill))
  if (refused !== undefined) return `the host does not admit it. ${refused.reasons.join(' ')}`
  const inactive = catalog.inactive.find(isThis)
  if (inactive !== undefined) return `its status is ${inactive.manifest.status}.`
  if (catalog.shadowed.some(({ skill }) => isThis(skill))) return 'another skill of its name is used instead.'
  return 'the catalog has no readable skill there. "explain" says why.'
}
