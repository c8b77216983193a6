import type { Manifest, Profile } from './ports/manifest.ts'
import { Report } from './diagnostics.ts'
import { readMapping, type PlainYamlReader } from './fast/mapping.ts'
import type { Frontmatter, ManifestContext } from './frontmatter.ts'
import { mayHide } from './hidden.ts'
import { loadedLibraries, loadLibrary, type Libraries } from './libraries.ts'
import { readManifest } from './manifest.ts'
import { Metadata } from './metadata.ts'

/** Reads a decoded frontmatter. Returns a promise only if a library has to be loaded. */
export type FrontmatterReader = (
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
export function createFrontmatterReader(readPlain: PlainYamlReader): FrontmatterReader {
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

  function read(frontmatter: Frontmatter, text: string, context: ManifestContext): Metadata | keyof Libraries {
    // With warnings, the result also depends on what precedes the frontmatter.
    const isRemembered = frontmatter.warnings.length === 0
    const earlier = isRemembered ? recall(text, context) : undefined
    if (earlier !== undefined) return earlier
    const metadata = tryRead(readPlain, frontmatter, text, context)
    if (isRemembered && typeof metadata !== 'string') remember(text, context, metadata)
    return metadata
  }

  async function loadAndRead(
    library: keyof Libraries,
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
  readPlain: PlainYamlReader,
  { place, warnings }: Frontmatter,
  text: string,
  context: ManifestContext,
): Metadata | keyof Libraries {
  const { path, profile, folderName } = context
  const { line } = place
  const { yaml: readYaml, patterns } = loadedLibraries()
  const report = new Report(profile)
  for (const { code, ...finding } of warnings) report.warning(code, finding)
  const mapping = readMapping(text, line, profile, report, readPlain, readYaml)
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
