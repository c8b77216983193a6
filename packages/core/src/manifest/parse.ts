import type { SkillDocument } from './document.ts'
import type { ManifestContext } from './frontmatter.ts'
import { lazyImport } from '../lazy-import.ts'
import { anyText, oneOf, withDefault } from '../options/kinds.ts'
import { checkOptions, type OptionTable } from '../options/table.ts'
import { PROFILES } from './profiles.ts'

const PARSE_OPTIONS: OptionTable<Partial<ManifestContext>> = {
  path: withDefault('SKILL.md', anyText),
  folderName: anyText,
  fileName: withDefault('SKILL.md', anyText),
  profile: withDefault('default', oneOf(...PROFILES)),
}

const PARSER = lazyImport(() => import('./parse-document.ts'))

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
  const full = { path, fileName, profile, ...(folderName === undefined ? {} : { folderName }) }
  // Whoever reads many files into one buffer may read the next one meanwhile.
  const given = PARSER.loaded === undefined && typeof text !== 'string' ? new Uint8Array(text) : text
  const { parseDocument } = PARSER.loaded === undefined ? await PARSER.load() : PARSER.loaded
  return parseDocument(given, full)
}
