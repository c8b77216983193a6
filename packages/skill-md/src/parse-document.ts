import type { SkillDocument } from './document.ts'
import { findLoneSurrogate } from './encoding.ts'
import type { ManifestContext } from './frontmatter.ts'
import { failedMetadata } from './metadata.ts'
import { createManifestParser } from './parser.ts'

/** Parses a file whose options `parseSkill` has checked. */
export async function parseDocument(text: string | Uint8Array, context: ManifestContext): Promise<SkillDocument> {
  const parser = createManifestParser()
  if (typeof text !== 'string') return parser.document(text, context)
  const fault = findLoneSurrogate(text)
  if (fault !== undefined) return { diagnostics: failedMetadata(context, fault).diagnostics }
  return parser.document(new TextEncoder().encode(text), context)
}
