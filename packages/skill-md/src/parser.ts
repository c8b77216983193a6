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

/** Reads manifests. It never throws because of a file's content: problems become diagnostics. */
export interface ManifestParser {
  /**
   * Reads the frontmatter only: requests 4 KiB, then at most 32 KiB if the frontmatter is longer. Returns a promise only
   * if the frontmatter needs a library that is not loaded yet; the file has been read by then.
   */
  metadata(file: ManifestFile, context: ManifestContext): Metadata | Promise<Metadata>
  /** Reads the whole file, with the diagnostics of its frontmatter and its body. */
  document(bytes: Uint8Array, context: ManifestContext): Promise<SkillDocument>
  /** Reads the whole file for a caller that shows diagnostics only if there is no manifest. */
  content(bytes: Uint8Array, context: ManifestContext): Promise<SkillDocument>
}

/** Returns a parser. Large libraries (full YAML, the pattern engine) are imported when a file first needs them. */
export function createManifestParser(): ManifestParser {
  return {
    metadata(file, context) {
      const frontmatter = openFrontmatter(file, context)
      return 'code' in frontmatter ? failedMetadata(context, frontmatter) : metadataOf(frontmatter, context)
    },
    document: (bytes, context) => readWhole(bytes, context, true),
    content: (bytes, context) => readWhole(bytes, context, false),
  }
}

function metadataOf(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
  const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
  return typeof text === 'string' ? readFrontmatter(frontmatter, text, context) : failedMetadata(context, text)
}

async function readWhole(bytes: Uint8Array, context: ManifestContext, isChecked: boolean): Promise<SkillDocument> {
  const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
  const frontmatter = openFrontmatter(file, context)
  if ('code' in frontmatter) return { diagnostics: failedMetadata(context, frontmatter).diagnostics }
  const { bodyStart, bodyLine } = frontmatter.place
  const metadata = await metadataOf(frontmatter, context)
  return readBody(metadata, bytes.subarray(bodyStart), bodyLine, context, isChecked)
}

/** Reads a decoded frontmatter. Returns a promise only if a library has to be loaded. */
type FrontmatterReader = (
  frontmatter: Frontmatter,
  text: string,
  context: ManifestContext,
) => Metadata | Promise<Metadata>

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
 * Returns a reader that remembers what it read, by the text: a later scan finds most files unchanged. Without this, a
 * reload of 1,000 skills takes three times as long.
 */
function createFrontmatterReader(): FrontmatterReader {
  const remembered = new Map<string, Earlier>()
  let characters = 0

  function recall(text: string, { path, profile, folderName }: ManifestContext): Metadata | undefined {
    const earlier = remembered.get(text)
    if (earlier?.profile !== profile || earlier.folderName !== folderName) return undefined
    return new Metadata(path, earlier.metadata.manifest, earlier.metadata.compact)
  }

  function remember(text: string, { profile, folderName }: ManifestContext, metadata: Metadata): void {
    if (characters > MAX_REMEMBERED_CHARS) {
      remembered.clear()
      characters = 0
    }
    characters += text.length + LINE_CHARS * text.split('\n').length
    remembered.set(text, { profile, folderName, metadata })
  }

  function read(frontmatter: Frontmatter, text: string, context: ManifestContext): Metadata | keyof typeof libraries {
    // With warnings, the result also depends on what precedes the frontmatter.
    const isRemembered = frontmatter.warnings.length === 0
    const earlier = isRemembered ? recall(text, context) : undefined
    if (earlier !== undefined) return earlier
    const metadata = tryRead(frontmatter, text, context)
    if (isRemembered && typeof metadata !== 'string') remember(text, context, metadata)
    return metadata
  }

  async function loadAndRead(
    library: keyof typeof libraries,
    frontmatter: Frontmatter,
    text: string,
    context: ManifestContext,
  ): Promise<Metadata> {
    await loadLibrary(library)
    const metadata = read(frontmatter, text, context)
    return typeof metadata === 'string' ? loadAndRead(metadata, frontmatter, text, context) : metadata
  }

  return (frontmatter, text, context) => {
    const metadata = read(frontmatter, text, context)
    return typeof metadata === 'string' ? loadAndRead(metadata, frontmatter, text, context) : metadata
  }
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

/** One for all: a program may open the same skills more than once. */
const readFrontmatter = createFrontmatterReader()

/** Parses a file whose options `parseSkill` has checked. */
export async function parseDocument(text: string | Uint8Array, context: ManifestContext): Promise<SkillDocument> {
  const parser = createManifestParser()
  if (typeof text !== 'string') return parser.document(text, context)
  const fault = findLoneSurrogate(text)
  if (fault !== undefined) return { diagnostics: failedMetadata(context, fault).diagnostics }
  return parser.document(new TextEncoder().encode(text), context)
}
