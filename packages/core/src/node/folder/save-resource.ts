import { writeResource, type SaveResourceOptions } from './write-resource.ts'
import { flag, number, withDefault } from '../../options/kinds.ts'
import { checkOptions, type OptionTable } from '../../options/table.ts'
import { MAX_RESOURCE_BYTES } from '../../ports/limits.ts'
import type { Skill } from '../../ports/skill.ts'

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
  return writeResource(skill, path, bytes, options)
}
