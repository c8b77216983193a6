import { Report, failedMetadata, type Metadata } from './diagnostics.ts'
import { failedDocument, readBody, type SkillDocument } from './document.ts'
import { countLines } from './fence.ts'
import { decode, type Frontmatter, type ManifestContext, openFrontmatter } from './frontmatter.ts'
import { mayHide, nameCodePoint } from './text/hidden.ts'
import { libraries, loadLibrary } from './libraries.ts'
import { readManifest } from './manifest.ts'
import type { Manifest, Profile } from './ports/manifest.ts'
import { readMapping } from './yaml/mapping.ts'

/**
 * Reads the frontmatter only. Returns a promise only if it needs a library that is not loaded yet. Never throws because
 * of a file's content: problems become diagnostics.
 * @param head the beginning of the file; where the frontmatter goes on behind it, it is `FRONTMATTER_UNCLOSED`
 * @param size the file's size in bytes
 */
export function parseMetadata(head: Uint8Array, size: number, context: ManifestContext): Metadata | Promise<Metadata> {
  const frontmatter = openFrontmatter(head, size, context)
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
  const frontmatter = openFrontmatter(bytes, bytes.length, context)
  if ('code' in frontmatter) return failedDocument(context, frontmatter)
  const { bodyStart, bodyLine } = frontmatter.place
  return readBody(await readFrontmatter(frontmatter, context), bytes.subarray(bodyStart), bodyLine, context)
}

/** The frontmatters remembered together have at most so many UTF-16 code units: those of about 10,000 skills. */
const MAX_REMEMBERED_CHARS = 8_000_000

interface Remembered extends Metadata {
  readonly text: string
  readonly profile: Profile
  readonly folderName: string | undefined
}

/**
 * What was read last, by the file's path: a later scan finds most files unchanged, and a program may open the same
 * skills more than once. Without this, a reload of 1,000 skills takes twice as long.
 */
const remembered = new Map<string, Remembered>()
let rememberedChars = 0

/** Returns a promise only if a library has to be loaded. */
function readFrontmatter(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
  const { path, profile, folderName } = context
  const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
  if (typeof text !== 'string') return failedMetadata(context, text)
  // With warnings, the result also depends on what precedes the frontmatter.
  const isRemembered = frontmatter.warnings.length === 0
  const earlier = isRemembered ? remembered.get(path) : undefined
  if (earlier?.text === text && earlier.profile === profile && earlier.folderName === folderName) return earlier
  const metadata = tryRead(frontmatter, text, context)
  if (typeof metadata === 'string') return loadLibrary(metadata).then(() => readFrontmatter(frontmatter, context))
  if (!isRemembered) return metadata
  rememberedChars += text.length - (earlier?.text.length ?? 0)
  if (rememberedChars > MAX_REMEMBERED_CHARS) {
    remembered.clear()
    rememberedChars = text.length
  }
  const { manifest, diagnostics } = metadata
  const entry = { manifest, diagnostics, text, profile, folderName }
  remembered.set(path, entry)
  return entry
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
  const report = new Report(profile, path)
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
  return { manifest, diagnostics: report.diagnostics }
}
