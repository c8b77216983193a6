import { Report, failedMetadata, Metadata } from './diagnostics.ts'
import { readBody, type SkillDocument } from './document.ts'
import {
  decode,
  findLoneSurrogate,
  type Frontmatter,
  type ManifestContext,
  type ManifestFile,
  openFrontmatter,
} from './frontmatter.ts'
import { mayHide } from './text/hidden.ts'
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
export async function parseDocument(text: string | Uint8Array, context: ManifestContext): Promise<SkillDocument> {
  if (typeof text !== 'string') return readWhole(text, context, true)
  const fault = findLoneSurrogate(text)
  if (fault !== undefined) return { diagnostics: failedMetadata(context, fault).diagnostics }
  return readWhole(new TextEncoder().encode(text), context, true)
}

/** Reads the whole file for a caller that shows diagnostics only if there is no manifest. */
export function parseContent(bytes: Uint8Array, context: ManifestContext): Promise<SkillDocument> {
  return readWhole(bytes, context, false)
}

async function readWhole(bytes: Uint8Array, context: ManifestContext, isChecked: boolean): Promise<SkillDocument> {
  const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
  const frontmatter = openFrontmatter(file, context)
  if ('code' in frontmatter) return { diagnostics: failedMetadata(context, frontmatter).diagnostics }
  const { bodyStart, bodyLine } = frontmatter.place
  const metadata = await readFrontmatter(frontmatter, context)
  return readBody(metadata, bytes.subarray(bodyStart), bodyLine, context, isChecked)
}

/** The metadata of a frontmatter, and everything besides the text that it depends on. */
interface Earlier {
  readonly profile: Profile
  readonly folderName: string | undefined
  readonly metadata: Metadata
}

/** Of all remembered frontmatters together, in UTF-16 code units: those of about 10,000 skills. */
const MAX_REMEMBERED_CHARS = 8_000_000

/** What a line of a frontmatter weighs besides its text: it may be a field, with a diagnostic. */
const LINE_CHARS = 60

/**
 * What was read, by the text: a later scan finds most files unchanged, and a program may open the same skills more than
 * once. Without this, a reload of 1,000 skills takes three times as long.
 */
const remembered = new Map<string, Earlier>()
let rememberedChars = 0

function recall(text: string, { path, profile, folderName }: ManifestContext): Metadata | undefined {
  const earlier = remembered.get(text)
  if (earlier?.profile !== profile || earlier.folderName !== folderName) return undefined
  return new Metadata(path, earlier.metadata.manifest, earlier.metadata.compact)
}

function remember(text: string, { profile, folderName }: ManifestContext, metadata: Metadata): void {
  if (rememberedChars > MAX_REMEMBERED_CHARS) {
    remembered.clear()
    rememberedChars = 0
  }
  rememberedChars += text.length + LINE_CHARS * text.split('\n').length
  remembered.set(text, { profile, folderName, metadata })
}

/** Returns a promise only if a library has to be loaded. */
function readFrontmatter(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
  const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
  if (typeof text !== 'string') return failedMetadata(context, text)
  // With warnings, the result also depends on what precedes the frontmatter.
  const isRemembered = frontmatter.warnings.length === 0
  const earlier = isRemembered ? recall(text, context) : undefined
  if (earlier !== undefined) return earlier
  const metadata = tryRead(frontmatter, text, context)
  if (typeof metadata === 'string') return loadLibrary(metadata).then(() => readFrontmatter(frontmatter, context))
  if (isRemembered) remember(text, context, metadata)
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
