import type { SkillFiles, SkillFolder } from '@repertoire/core'
import { checkSkillFiles } from '@repertoire/core/stores'
import type { ZippableFile } from 'fflate'
import { readWhole } from '../lock/pin.ts'

/** A skill in a zip archive. */
export interface PackedSkill {
  readonly name: string
  readonly bytes: Uint8Array
  /** The paths in it, each below a folder with the skill's name. */
  readonly paths: readonly string[]
}

const UNIX = 3

/**
 * Packs a skill into a zip: one folder with its name, and its files in it, hidden ones too, as Anthropic's API and
 * claude.ai take it. The same files make the same bytes, on every machine: sorted, without times and owners, and of
 * permissions only whether a file is executable.
 * @throws {SkillError} as a store refuses a skill; RESOURCE_REFUSED: the folder holds what cannot be read
 */
export async function packSkill(folder: SkillFolder, name: string): Promise<PackedSkill> {
  const files = await readWhole(folder)
  await checkSkillFiles(name, files)
  return { name, bytes: await zipOf(name, files), paths: [...files.keys()].map((path) => `${name}/${path}`) }
}

async function zipOf(name: string, files: SkillFiles): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  // The oldest time that a zip can hold, in the zone of whoever packs: the bytes are the same everywhere.
  const mtime = new Date(1980, 0, 1)
  const entries = [...files].map(([path, { bytes, executable }]): [string, ZippableFile] => {
    const attrs = ((executable === true ? 0o100755 : 0o100644) << 16) >>> 0
    return [`${name}/${path}`, [bytes, { mtime, os: UNIX, attrs, level: 9 }]]
  })
  return zipSync(Object.fromEntries(entries))
}
