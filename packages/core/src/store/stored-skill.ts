import { SkillError } from '../errors.ts'
import { parseSkill } from '../manifest/index.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { StoredSkill } from '../ports/skill-store.ts'
import { digestFolder } from '../resources/digest.ts'

/** Reads a stored skill with the revision of what was read. @throws {SkillError} SKILL_BROKEN, and what the folder refuses */
export async function readStored(name: string, folder: SkillFolder): Promise<StoredSkill> {
  const { bytes, revision } = await surveyed(folder)
  const path = `${folder.location}/SKILL.md`
  const { manifest, body, definition, diagnostics } = await parseSkill(bytes, { folderName: name, path })
  if (manifest !== undefined && body !== undefined && definition !== undefined) {
    return { name, revision, manifest, body, definition, folder }
  }
  const error = diagnostics.find(({ severity }) => severity === 'error')
  throw new SkillError(
    'SKILL_BROKEN',
    `The stored skill "${name}" cannot be read: ${error?.message ?? 'it is not a SKILL.md.'} ${error?.hint ?? ''}`.trim(),
    { path, ...(error?.line !== undefined && { line: error.line }) },
  )
}

/** The revision of what a folder holds: the digest of its content, so that a change by hand is one too. */
export async function revisionOf(folder: SkillFolder): Promise<string> {
  return (await surveyed(folder)).revision
}

async function surveyed(folder: SkillFolder): Promise<{ readonly bytes: Uint8Array; readonly revision: string }> {
  const survey = await folder.survey?.()
  if (survey !== undefined) return { bytes: survey.manifest, revision: survey.digest }
  const bytes = await folder.readManifest()
  return { bytes, revision: await digestFolder(folder, await folder.list(), bytes) }
}
