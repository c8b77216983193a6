import { TimedFolder } from '../../catalog/timed-folder.ts'
import {
  SkillError,
  flag,
  checkOptions,
  type OptionTable,
  MAX_RESOURCE_BYTES,
  type Skill,
  type SkillErrorCode,
  showName,
} from '@repertoire/skill-md/internal'
import { quoted, resourceParts } from '../../resources/path.ts'
import { portabilityProblem } from '../../store/path-rules.ts'
import { type OpenErrorKind, explainOpenError, systemCode } from './open-error.ts'
import { childPath } from './names.ts'
import { modeAfter, refuseTwin, statIn } from './open-folder.ts'
import { openSkill } from './reading.ts'
import type { OpenFolder } from './safe-open.ts'
import { isDiskFolder } from './skill.ts'

/** Options of `saveResource`. */
export interface SaveResourceOptions {
  /** Whether the file can be executed. Default: as the file that it replaces, and no for a new one. */
  readonly executable?: boolean | undefined
}

const SAVE_RESOURCE_OPTIONS: OptionTable<SaveResourceOptions> = { executable: flag }

/**
 * Saves a file of a skill that lies in a folder on disk: inside that folder and nowhere else, through no link, in one
 * step, so that no reader sees a part of it. Missing folders are created. The skill's digest changes with its content,
 * so an earlier consent no longer applies to it.
 * @param skill as the catalog returns it, of a source that reads folders
 * @param path relative to the skill's folder, `/` between parts. SKILL.md is none: write it with `renderSkill`
 * @param bytes a text is saved as UTF-8. At most 10 MiB
 * @throws {SkillError} RESOURCE_PATH_INVALID (leaves the folder), RESOURCE_REFUSED (SKILL.md, hidden, a link, a folder
 * or a device is there, the folder was moved), RESOURCE_TOO_LARGE, RESOURCE_NOT_FOUND (the skill's folder is gone),
 * FOLDER_NOT_WRITABLE (the skill is not on disk, no permission, no space). Nothing is changed then.
 * @throws {TypeError} an argument does not have the shape named here
 */
export async function saveResource(
  skill: Pick<Skill, 'folder'>,
  path: string,
  bytes: Uint8Array | string,
  options: SaveResourceOptions = {},
): Promise<void> {
  checkOptions('saveResource', SAVE_RESOURCE_OPTIONS, options)
  if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array))
    throw new TypeError('saveResource: pass the content as bytes, a Uint8Array, or as a string.')
  const folder = TimedFolder.innerOf(skill.folder)
  const { location } = folder
  const parts = resourceParts(path, location)
  const refused = (code: SkillErrorCode, why: string, cause?: unknown): SkillError =>
    new SkillError(code, `${quoted(path)} in ${showName(location)} is not saved: ${why}`, {
      path: parts.reduce(childPath, location),
      cause,
    })
  if (!isDiskFolder(folder))
    throw refused('FOLDER_NOT_WRITABLE', 'the skill is not in a folder on disk. Save it where the skill comes from.')
  // Some file systems ignore case.
  if (parts.length === 1 && parts[0]!.toLowerCase() === folder.access.fileName.toLowerCase())
    throw refused('RESOURCE_REFUSED', "it is the skill's manifest and not a resource. Write it with renderSkill.")
  const problem = portabilityProblem(parts.join('/'))
  if (problem !== undefined) throw refused('RESOURCE_PATH_INVALID', `${problem}. Choose another path.`)
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  if (content.length > MAX_RESOURCE_BYTES) {
    const why = `it has ${content.length} bytes, and ${MAX_RESOURCE_BYTES} are the most. Split it.`
    throw refused('RESOURCE_TOO_LARGE', why)
  }
  const root = openSkill(folder)
  try {
    writeIn(root, parts, content, options.executable)
  } catch (error) {
    if (error instanceof SkillError) throw error
    const { kind } = explainOpenError(error, location)
    const code = PLACE_TAKEN.has(kind) ? 'RESOURCE_REFUSED' : 'FOLDER_NOT_WRITABLE'
    const what = `it, or a folder on the way, cannot be written to: ${kind}${systemCode(error)}`
    throw refused(code, `${what}. Links are not followed. Choose another path, or look at what is there.`, error)
  } finally {
    root.close()
  }
}

const PLACE_TAKEN: ReadonlySet<OpenErrorKind> = new Set<OpenErrorKind>(['link', 'folder', 'special', 'replaced'])

function writeIn(
  root: OpenFolder,
  [name = '', ...rest]: readonly string[],
  bytes: Uint8Array,
  executable: boolean | undefined,
): void {
  refuseTwin(root, name)
  if (rest.length === 0) return root.write(name, bytes, { mode: modeAfter(statIn(root, name), executable) })
  const below = root.makeFolder(name)
  try {
    writeIn(below, rest, bytes, executable)
  } finally {
    below.close()
  }
}
