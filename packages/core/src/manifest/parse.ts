import type { SkillDocument } from './document.ts'
import type { ManifestContext } from './frontmatter.ts'
import { quote } from './hidden.ts'
import { lazyImport } from '../lazy-import.ts'
import { PROFILES } from './profiles.ts'

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
  const { path = 'SKILL.md', fileName = 'SKILL.md', profile = 'default', folderName } = context
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('parseSkill: pass the file as text, or as the bytes of it in a Uint8Array.')
  }
  if (!PROFILES.includes(profile)) {
    throw new TypeError(`parseSkill: there is no profile ${quote(profile)}. Give ${PROFILES.join(', ')}.`)
  }
  const full = { path, fileName, profile, ...(folderName === undefined ? {} : { folderName }) }
  // Whoever reads many files into one buffer may read the next one meanwhile.
  const given = PARSER.loaded === undefined && typeof text !== 'string' ? new Uint8Array(text) : text
  const { parseDocument } = PARSER.loaded === undefined ? await PARSER.load() : PARSER.loaded
  return parseDocument(given, full)
}
