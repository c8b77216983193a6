import { Report, failedMetadata, Metadata } from './diagnostics.ts'
import { failedDocument, readBody, type SkillDocument } from './document.ts'
import { countLines } from './fence.ts'
import { decode, type Frontmatter, type ManifestContext, type ManifestFile, openFrontmatter } from './frontmatter.ts'
import { mayHide, nameCodePoint } from './text/hidden.ts'
import { libraries, loadLibrary } from './libraries.ts'
import { readManifest } from './manifest.ts'
import type { Manifest, Profile } from './ports/manifest.ts'
import { readMapping } from './yaml/mapping.ts'

/**
 * Reads the frontmatter only: requests 4 KiB, then at most 32 KiB if the frontmatter is longer. Returns a promise only
 * if the frontmatter needs a library that is not loaded yet; the file has been read by then. Never throws because of a
 * file's content: problems become diagnostics.
 */
export function parseMetadata(file: ManifestFile, context: ManifestContext): Metadata | Promise<Metadata> {
  const frontmatter = openFrontmatter(file, context)
  return 'code' in frontmatter ? failedMetadata(context, frontmatter) : readFrontmatter(frontmatter, context)
}

/** Reads the whole file, with the diagnostics of its frontmatter and its body. Never rejects because of its content. */
export async function parseDocument(file: string | Uint8Array, context: ManifestContext): Promise<SkillDocument> {
  const surrogate = typeof file === 'string' ? /[\uD800-\uDFFF]/u.exec(file) : null
  if (surrogate !== null) {
    // Encoding would replace it.
    const message = `The text holds the lone surrogate ${nameCodePoint(surrogate[0])}.`
    const line = 1 + countLines(surrogate.input, surrogate.index)
    return failedDocument(context, { code: 'ENCODING_INVALID', line, message, hint: 'Remove it.' })
  }
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const frontmatter = openFrontmatter({ size: bytes.length, head: (length) => bytes.subarray(0, length) }, context)
  if ('code' in frontmatter) return failedDocument(context, frontmatter)
  const { bodyStart, bodyLine } = frontmatter.place
  return readBody(await readFrontmatter(frontmatter, context), bytes.subarray(bodyStart), bodyLine, context)
}

/** Of all remembered frontmatters together, in UTF-16 code units: those of about 10,000 skills. */
const MAX_REMEMBERED_CHARS = 8_000_000

/**
 * What was read, by the text: a later scan finds most files unchanged, and a program may open the same skills more than
 * once. Without this, a reload of 1,000 skills takes three times as long.
 */
const remembered = new Map<
  string,
  { readonly metadata: Metadata; readonly profile: Profile; readonly folder?: string }
>()
let rememberedChars = 0

/** Returns a promise only if a library has to be loaded. */
function readFrontmatter(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
  const { path, profile, folderName: folder } = context
  const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
  if (typeof text !== 'string') return failedMetadata(context, text)
  // With warnings, the result also depends on what precedes the frontmatter.
  const isRemembered = frontmatter.warnings.length === 0
  const earlier = isRemembered ? remembered.get(text) : undefined
  if (earlier?.profile === profile && earlier.folder === folder) {
    return new Metadata(path, earlier.metadata.manifest, earlier.metadata.compact)
  }
  const metadata = tryRead(frontmatter, text, context)
  if (typeof metadata === 'string') return loadLibrary(metadata).then(() => readFrontmatter(frontmatter, context))
  if (isRemembered) {
    rememberedChars += text.length
    if (rememberedChars > MAX_REMEMBERED_CHARS) remembered.clear()
    if (remembered.size === 0) rememberedChars = text.length
    remembered.set(text, { metadata, profile, ...(folder !== undefined && { folder }) })
  }
  return metadata
}

/** Returns the metadata, or the name of the library that has to be loaded first. */
function tryRead(
  { place, warnings }: Frontmatter,
  text: string,
  context: ManifestContext,
): Metadata | keyof typeof libraries {
  const { path, profile, folderName } = context
  const { line } = place
  const { yaml: readYaml, patterns } = libraries
  const report = new Report(profile)
  for (const { code, ...finding } of warnings) report.warning(code, finding)
  const mapping = readMapping(text, line, profile, report, readYaml)
  if ('needs' in mapping) return mapping.needs
  const length = place.end - place.start
  let manifest: Manifest | undefined
  if (mapping.root !== undefined) {
    const field = { key: '', line: line - 1, folderName, profile, report, patterns, needsPatterns: false }
    // Equal lengths mean ASCII: every other character has more bytes than UTF-16 code units.
    manifest = readManifest(mapping.root, field, mayHide(text, text.length === length))
    if (field.needsPatterns) return 'patterns'
  }
  return new Metadata(path, manifest, report.diagnostics)
}
