import type { Diagnostic } from './ports/diagnostic.ts'
import type { Manifest, SkillDefinition } from './ports/manifest.ts'
import { type Fault, Report, failedMetadata, type Metadata } from './diagnostics.ts'
import { countLines } from './fence.ts'
import { decode, type ManifestContext } from './frontmatter.ts'
import { findHidden } from './text/hidden.ts'
import { readYaml } from './libraries.ts'
import { readDefinition } from './definition/definition.ts'

/** A parsed SKILL.md. Without a manifest the skill is not loaded, and at least one error says why. */
export interface SkillDocument {
  readonly manifest?: Manifest
  readonly diagnostics: readonly Diagnostic[]
  /** Everything after the closing fence's line, as written. Only with a manifest. */
  readonly body?: string
  /** The file's line on which the body begins, 1-based. Only with a manifest. */
  readonly bodyLine?: number
  /** What the body defines, by the manifest's type. Only with a manifest. */
  readonly definition?: SkillDefinition
}

export function failedDocument(context: ManifestContext, fault: Fault): SkillDocument {
  return { diagnostics: failedMetadata(context, fault).diagnostics }
}

/**
 * Returns the document of a file whose frontmatter is already read.
 * @param bytes the bytes after the frontmatter
 * @param bodyLine the line on which they begin, 1-based
 */
export async function readBody(
  { manifest, diagnostics: found }: Metadata,
  bytes: Uint8Array,
  bodyLine: number,
  context: ManifestContext,
): Promise<SkillDocument> {
  if (manifest === undefined) return { diagnostics: found }
  const body = decode(bytes, bodyLine, 'nul')
  if (typeof body !== 'string') return { diagnostics: [...found, ...failedDocument(context, body).diagnostics] }
  const report = new Report(context.profile, context.path)
  const hidden = findHidden(body)
  if (hidden !== undefined) {
    const message = `The body holds characters that are not shown: ${hidden.codePoints.join(', ')}.`
    const hint = 'Look at them before you trust the skill, and remove them.'
    report.warning('HIDDEN_CHARACTERS', { line: bodyLine + countLines(body, hidden.index), message, hint })
  }
  const { type } = manifest
  // An instruction's content is its whole body.
  const definition: SkillDefinition | undefined =
    type === 'instruction' ? { type, content: body } : await readDefinition(type, body, bodyLine, readYaml, report)
  const diagnostics = [...found, ...report.diagnostics]
  return definition === undefined ? { diagnostics } : { manifest, diagnostics, body, bodyLine, definition }
}
