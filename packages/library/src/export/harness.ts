import { type ExportOptions, type ExportableSkill, readExportable } from './exportable.ts'
import { type ExportedSkill, type ExportLoss, lossesOf } from './losses.ts'

/** A skill as AI SDK's `HarnessAgent` takes it. */
export interface HarnessSkill {
  readonly name: string
  readonly description: string
  /** The body of SKILL.md. */
  readonly content: string
  /** Its other files that are text. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
}

/** Skills for `HarnessAgent`. */
export interface HarnessExport {
  readonly skills: readonly HarnessSkill[]
  readonly exported: readonly ExportedSkill[]
}

/**
 * Returns the skills of a project for AI SDK's `new HarnessAgent({ skills })`: those that are admitted and as the lock has
 * them, all or none. Files that are not text are left out, and `exported` says so.
 * @throws {SkillError} SKILL_NOT_FOUND, RESOURCE_REFUSED (not admitted), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID
 */
export async function exportHarnessSkills(options: ExportOptions): Promise<HarnessExport> {
  const results = (await readExportable('exportHarnessSkills', options)).map(toHarness)
  return { skills: results.map(({ skill }) => skill), exported: results.map(({ exported }) => exported) }
}

function toHarness(own: ExportableSkill): { readonly skill: HarnessSkill; readonly exported: ExportedSkill } {
  const { folderName, manifest, body } = own
  const files: { readonly path: string; readonly content: string }[] = []
  const lost: ExportLoss[] = [...lossesOf(own, 'harness')]
  for (const [path, { bytes, executable }] of own.files) {
    if (path === 'SKILL.md') continue
    const content = textOf(bytes)
    if (content === undefined) lost.push({ what: 'files', message: `${path} is left out, since it is not text.` })
    else files.push({ path, content })
    if (content !== undefined && executable === true) {
      lost.push({ what: 'files', message: `${path} is not executable.` })
    }
  }
  const { description } = manifest
  return {
    skill: { name: folderName, description, content: body, files },
    exported: { name: manifest.name, files: ['SKILL.md', ...files.map(({ path }) => path)], lost },
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
