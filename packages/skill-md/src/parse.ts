import type { SkillDocument } from './document.ts'
import type { ManifestContext } from './frontmatter.ts'
import { anyText, oneOf, withDefault } from './options/kinds.ts'
import { checkOptions, type OptionTable } from './options/table.ts'
import { PROFILES } from './ports/manifest.ts'

const PARSE_OPTIONS: OptionTable<Partial<ManifestContext>> = {
  path: withDefault('SKILL.md', anyText),
  folderName: anyText,
  fileName: withDefault('SKILL.md', anyText),
  profile: withDefault('default', oneOf(...PROFILES)),
}

/**
 * Parses one SKILL.md. Never rejects because of the text: problems become diagnostics.
 * @param context defaults: path and file name `SKILL.md`, profile `default`, the folder's name not compared
 * @throws {TypeError} the text is neither a string nor bytes, or the profile does not exist
 */
export async function parseSkill(
  text: string | Uint8Array,
  context: Partial<ManifestContext> = {},
): Promise<SkillDocument> {
  checkOptions('parseSkill', PARSE_OPTIONS, context)
  const { path = 'SKILL.md', fileName = 'SKILL.md', profile = 'default', folderName } = context
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('parseSkill: pass the file as text, or as the bytes of it in a Uint8Array.')
  }
  const full = { path, fileName, profile, folderName }
  // The caller may reuse the buffer while the parser is imported.
  const given = typeof text === 'string' ? text : new Uint8Array(text)
  // Imported on first use, so that the entry stays small.
  const { parseDocument } = await import('./parser.ts')
  return parseDocument(given, full)
}
