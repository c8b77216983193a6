import { type ExportOptions, readExportable } from './exportable.ts'
import { type ExportedSkill, lossesOf } from './losses.ts'

/** A skill as AI SDK's `uploadSkill` takes it, without `api`. */
export interface SkillUpload {
  readonly displayTitle: string
  /** Each below a folder with the skill's name. */
  readonly files: { path: string; data: Uint8Array }[]
}

/** Skills for `uploadSkill`. */
export interface UploadExport {
  readonly uploads: readonly SkillUpload[]
  readonly exported: readonly ExportedSkill[]
}

/**
 * Returns the skills of a project for AI SDK's `uploadSkill({ api, ...upload })`, which hosts a skill at a provider: those
 * that are admitted and as the lock has them, all or none. Every file is in it, hidden ones too.
 * @throws {SkillError} SKILL_NOT_FOUND, RESOURCE_REFUSED (not admitted), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID
 */
export async function exportUploads(options: ExportOptions): Promise<UploadExport> {
  const skills = await readExportable('exportUploads', options)
  return {
    uploads: skills.map(({ folderName, manifest, files }) => ({
      displayTitle: manifest.name,
      files: [...files].map(([path, { bytes }]) => ({ path: `${folderName}/${path}`, data: bytes })),
    })),
    exported: skills.map((skill) => ({
      name: skill.manifest.name,
      files: [...skill.files.keys()],
      lost: [
        ...lossesOf(skill, 'upload'),
        ...[...skill.files]
          .filter(([, { executable }]) => executable === true)
          .map(([path]) => ({ what: 'files', message: `${path} is not executable.` })),
      ],
    })),
  }
}
