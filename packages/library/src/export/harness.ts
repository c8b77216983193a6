import { isUtf8 } from 'node:buffer'
import { showName, SkillError } from '@repertoire/core'
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
 * Returns the skills of a project for AI SDK's `new HarnessAgent({ skills })`: those that are admitted and as the lock
 * has them, all or none. Files that are not text are left out, and `exported` says so.
 * @throws {SkillError} SKILL_NOT_FOUND, RESOURCE_REFUSED (not admitted), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID,
 * MANIFEST_INVALID (a name that harnesses do not take)
 */
export async function exportHarnessSkills(options: ExportOptions): Promise<HarnessExport> {
  const own = await readExportable('exportHarnessSkills', options)
  const { load } = await import('js-yaml')
  const results = own.map((skill) => toHarness(skill, load))
  return { skills: results.map(({ skill }) => skill), exported: results.map(({ exported }) => exported) }
}

type Load = typeof import('js-yaml').load

function toHarness(
  own: ExportableSkill,
  load: Load,
): { readonly skill: HarnessSkill; readonly exported: ExportedSkill } {
  const { folderName, manifest, body } = own
  if (!NAME.test(folderName) || !isPlain(folderName, load)) {
    const message = `The skill ${showName(manifest.name)} is not exported: harnesses take names of a to z, digits, ".", "_" and "-". Rename it.`
    throw new SkillError('MANIFEST_INVALID', message)
  }
  const description = plainText(manifest.description, load)
  const files: { readonly path: string; readonly content: string }[] = []
  const losses = lossesOf(own)
  const lost: ExportLoss[] = [...losses, ...fieldsLeftOut(own, losses)]
  if (description !== manifest.description) {
    lost.push({
      what: 'description',
      message: 'It is in quotes and on one line, since harnesses write it into YAML as it is.',
    })
  }
  for (const [path, { bytes, executable }] of own.files) {
    if (path === 'SKILL.md') continue
    if (!isUtf8(bytes)) {
      lost.push({ what: 'files', message: `${path} is left out, since it is not text.` })
      continue
    }
    files.push({ path, content: Buffer.from(bytes).toString() })
    if (executable === true) lost.push({ what: 'files', message: `${path} is not executable.` })
  }
  return {
    skill: { name: folderName, description, content: body, files },
    exported: { name: manifest.name, files: ['SKILL.md', ...files.map(({ path }) => path)], lost },
  }
}

const NAME = /^[\w.-]+$/

/** The other fields of its SKILL.md: harnesses do not take them. */
function fieldsLeftOut({ files }: ExportableSkill, losses: readonly ExportLoss[]): readonly ExportLoss[] {
  const [, frontmatter = ''] =
    /^\s*---\r?\n([^]*?)\n---/.exec(new TextDecoder().decode(files.get('SKILL.md')!.bytes)) ?? []
  const known = new Set(['name', 'description', 'type', 'status', ...losses.map(({ what }) => what)])
  const fields = (frontmatter.match(/^[\w-]+(?=\s*:)/gm) ?? []).filter((key) => !known.has(key))
  return fields.length === 0 ? [] : [{ what: 'fields', message: `Not passed on: ${fields.join(', ')}.` }]
}

/** Harnesses write `description: <text>` into a SKILL.md. A line more, or a colon, would be another field there. */
function plainText(text: string, load: Load): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return isPlain(line, load) ? line : JSON.stringify(line)
}

/** Whether YAML reads a text that is written without quotes as this text. */
function isPlain(line: string, load: Load): boolean {
  try {
    const read = load(`a: ${line}\n`)
    return typeof read === 'object' && read !== null && 'a' in read && read.a === line
  } catch {
    return false
  }
}
