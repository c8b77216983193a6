import { failedMetadata } from './metadata.ts'
import type { SkillDocument } from './document.ts'
import { findLoneSurrogate } from './encoding.ts'
import type { ManifestContext } from './frontmatter.ts'
import { quote } from './hidden.ts'
import { createManifestParser } from './parser.ts'
import { PROFILES } from './profiles.ts'

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
  const parser = createManifestParser()
  if (typeof text !== 'string') return parser.document(text, full)
  const fault = findLoneSurrogate(text)
  if (fault !== undefined) return { diagnostics: failedMetadata(full, fault).diagnostics }
  return parser.document(new TextEncoder().encode(text), full)
}
