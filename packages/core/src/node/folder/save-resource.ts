import { innerFolder } from '../../catalog/timed-folder.ts'
import {
  SkillError,
  flag,
  number,
  withDefault,
  checkOptions,
  type OptionTable,
  MAX_RESOURCE_BYTES,
  type Skill,
  showName,
} from '@repertoire/skill-md/internal'
import { quoted, resourceParts } from '../../resources/path.ts'
import { isSameName, portabilityProblem } from '../../store/path-rules.ts'
import { OpenError, explainOpenError, systemCode } from './open-error.ts'
import { childPath } from './names.ts'
import { openSkill } from './reading.ts'
import type { OpenFolder } from './safe-open.ts'
import { isDiskFolder } from './skill.ts'

/** Options of `saveResource`. */
export interface SaveResourceOptions {
  /** Whether the file can be executed. Default: as the file that it replaces, and no for a new one. */
  readonly executable?: boolean | undefined
  /** The largest file that is saved, in bytes. Default 10 MiB, the most that is read of a skill's file by default. */
  readonly maxBytes?: number | undefined
}

const SAVE_RESOURCE_OPTIONS: OptionTable<SaveResourceOptions> = {
  executable: flag,
  maxBytes: withDefault(MAX_RESOURCE_BYTES, number('bytes', { from: 0, to: Number.MAX_SAFE_INTEGER, isWhole: true })),
}

/**
 * Saves a file of a skill that lies in a folder on disk: inside that folder and nowhere else, through no link, in one
 * step, so that nobody reads a part of it. Missing folders are created. The skill's digest changes with its content, so
 * an earlier consent no longer applies to it.
 * @param skill as the catalog returns it, of a source that reads folders
 * @param path relative to the skill's folder, `/` between parts. SKILL.md is not a resource: write it with `renderSkill`
 * @param bytes a text is saved as UTF-8
 * @throws {SkillError} RESOURCE_PATH_INVALID (leaves the folder), RESOURCE_REFUSED (SKILL.md, hidden, a link, a folder or
 * a device is there, the folder was moved), RESOURCE_TOO_LARGE, RESOURCE_NOT_FOUND (the skill's folder is gone),
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
  const { executable, maxBytes = MAX_RESOURCE_BYTES } = options
  if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) {
    throw new TypeError('saveResource: pass the content as bytes, a Uint8Array, or as a string.')
  }
  const folder = innerFolder(skill.folder)
  const { location } = folder
  const parts = resourceParts(path, location)
  const details = { path: parts.reduce(childPath, location) }
  if (!isDiskFolder(folder)) {
    const message = `${quoted(path)} is not saved: the skill in ${showName(location)} is not in a folder on disk. Save it where the skill comes from.`
    throw new SkillError('FOLDER_NOT_WRITABLE', message, details)
  }
  const { fileName } = folder.access
  // Some file systems ignore case.
  if (parts.length === 1 && parts[0]!.toLowerCase() === fileName.toLowerCase()) {
    const message = `${quoted(path)} is not saved: it is the skill's manifest and not a resource. Write it with renderSkill.`
    throw new SkillError('RESOURCE_REFUSED', message, details)
  }
  const problem = portabilityProblem(parts.join('/'))
  if (problem !== undefined) {
    const message = `${quoted(path)} is not saved: ${problem}. Choose another path.`
    throw new SkillError('RESOURCE_PATH_INVALID', message, details)
  }
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  if (content.length > maxBytes) {
    const message = `${quoted(path)} is not saved: it has ${content.length} bytes, and ${maxBytes} are the most. Split it, or pass a larger maxBytes.`
    throw new SkillError('RESOURCE_TOO_LARGE', message, details)
  }
  const root = openSkill(folder)
  try {
    writeIn(root, parts, content, executable)
  } catch (error) {
    throw error instanceof SkillError ? error : saveError(error, location, path, details.path)
  } finally {
    root.close()
  }
}

const EXECUTABLE = 0o111
const NEW_FILE = 0o644

function writeIn(root: OpenFolder, parts: readonly string[], bytes: Uint8Array, executable: boolean | undefined): void {
  const name = parts.at(-1)!
  let folder = root
  try {
    for (const part of parts.slice(0, -1)) {
      const parent = folder
      refuseTwin(parent, part)
      folder = parent.makeFolder(part)
      if (parent !== root) parent.close()
    }
    refuseTwin(folder, name)
    const mode = executable === undefined ? undefined : modeOf(folder, name, executable)
    folder.write(name, bytes, mode === undefined ? {} : { mode })
  } finally {
    if (folder !== root) folder.close()
  }
}

/** Refuses a name beside another one that some file systems take for it. @throws {SkillError} RESOURCE_REFUSED */
function refuseTwin(folder: OpenFolder, name: string): void {
  const other = folder.entries().find((entry) => entry.name !== name && isSameName(entry.name, name))
  if (other === undefined) return
  const message = `${quoted(name)} is not saved: ${quoted(other.name)} is there, and to some file systems both are one. Use that name.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: name })
}

/** Who may read a file may also execute it, or nobody may. */
function modeOf(folder: OpenFolder, name: string, executable: boolean): number {
  const mode = permissionsOf(folder, name) & ~EXECUTABLE
  return executable ? mode | ((mode >> 2) & EXECUTABLE) : mode
}

function permissionsOf(folder: OpenFolder, name: string): number {
  try {
    return folder.stat(name).mode & 0o777
  } catch (error) {
    if (error instanceof OpenError && error.kind === 'missing') return NEW_FILE
    throw error
  }
}

function saveError(error: unknown, location: string, path: string, full: string): SkillError {
  const { kind } = explainOpenError(error, location)
  const details = { path: full, cause: error }
  const what = `${quoted(path)} in ${showName(location)} is not saved: `
  const refused = {
    link: 'it, or a folder on the way, is a link, and links are not followed. Put the file itself there.',
    folder: 'there is a folder of that name. Choose another name.',
    special: 'there is a device, a pipe or a socket of that name. Choose another name.',
    replaced: 'a folder on the way was replaced meanwhile. Try again.',
  } as const
  if (kind === 'link' || kind === 'folder' || kind === 'special' || kind === 'replaced') {
    return new SkillError('RESOURCE_REFUSED', what + refused[kind], details)
  }
  const reason =
    kind === 'missing'
      ? 'a part of its path is a file, or too long for a name. Choose another path.'
      : `the folder cannot be written to${systemCode(error)}. Check its permissions and the space on the disk.`
  return new SkillError('FOLDER_NOT_WRITABLE', what + reason, details)
}
