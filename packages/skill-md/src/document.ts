import type { Diagnostic } from './ports/diagnostic.ts'
import type { Manifest, SkillDefinition, SkillType } from './ports/manifest.ts'
import { Report, failedMetadata, Metadata } from './diagnostics.ts'
import { countLines, decode, type ManifestContext } from './frontmatter.ts'
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

/** A file that is read except for its definition. */
interface ReadBody {
  readonly metadata: Metadata
  readonly manifest: Manifest
  readonly body: string
  readonly bodyLine: number
}

/**
 * Returns the document of a file whose frontmatter is already read.
 * @param bytes the bytes after the frontmatter
 * @param bodyLine the line on which they begin, 1-based
 * @param isChecked whether the body is checked for problems that its author should know about
 */
export async function readBody(
  metadata: Metadata,
  bytes: Uint8Array,
  bodyLine: number,
  context: ManifestContext,
  isChecked: boolean,
): Promise<SkillDocument> {
  const { manifest } = metadata
  if (manifest === undefined) return { diagnostics: metadata.diagnostics }
  const body = decode(bytes, bodyLine, 'nul')
  if (typeof body !== 'string') {
    return { diagnostics: [...metadata.diagnostics, ...failedMetadata(context, body).diagnostics] }
  }
  if (isChecked || manifest.type !== 'instruction') {
    return readDefined({ metadata, manifest, body, bodyLine }, context, isChecked)
  }
  return { manifest, diagnostics: [], body, bodyLine, definition: { type: manifest.type, content: body } }
}

async function readDefined(
  { metadata, manifest, body, bodyLine }: ReadBody,
  context: ManifestContext,
  isChecked: boolean,
): Promise<SkillDocument> {
  const report = new Report(context.profile)
  if (isChecked) checkBody(body, bodyLine, report)
  const definition = await define(manifest.type, body, bodyLine, report)
  if (definition !== undefined && !isChecked) return { manifest, diagnostics: [], body, bodyLine, definition }
  const diagnostics = [...metadata.diagnostics, ...new Metadata(context.path, manifest, report.diagnostics).diagnostics]
  if (definition === undefined) return { diagnostics }
  return { manifest, diagnostics, body, bodyLine, definition }
}

/** An instruction's content is its whole body. The reader for other definitions is imported on first use. */
async function define(
  type: SkillType,
  body: string,
  line: number,
  report: Report,
): Promise<SkillDefinition | undefined> {
  if (type === 'instruction') return { type, content: body }
  return readDefinition(type, body, line, readYaml, report)
}

function checkBody(body: string, line: number, report: Report): void {
  const hidden = findHidden(body)
  if (hidden === undefined) return
  const message = `The body holds characters that are not shown: ${hidden.codePoints.join(', ')}.`
  const hint = 'Look at them before you trust the skill, and remove them.'
  report.warning('HIDDEN_CHARACTERS', { line: line + countLines(body, hidden.index), message, hint })
}
