import type { Manifest } from '../ports/manifest.ts'
import { createStringCopier } from '../text/copy-string.ts'
import type { StringCopier } from '../text/copy-string.ts'
import { Report } from './diagnostics.ts'
import { readMapping } from './fast/mapping.ts'
import type { PlainYamlReader } from './fast/mapping.ts'
import type { Frontmatter, ManifestContext } from './frontmatter.ts'
import { mayHide } from './hidden.ts'
import { loadedLibraries, loadLibrary } from './libraries.ts'
import type { Libraries } from './libraries.ts'
import { readManifest } from './manifest.ts'
import { Metadata } from './metadata.ts'

/** Reads a decoded frontmatter. Returns a promise only if a library has to be loaded. */
export type FrontmatterReader = (
  frontmatter: Frontmatter,
  text: string,
  context: ManifestContext,
) => Metadata | Promise<Metadata>

/** What one parser uses to read every frontmatter. */
interface ReaderContext {
  readonly readPlain: PlainYamlReader
  readonly copyString: StringCopier
}

export function createFrontmatterReader(readPlain: PlainYamlReader): FrontmatterReader {
  // A scan reads thousands of files and keeps parts of them, many of which are the same.
  const readerContext = { readPlain, copyString: createStringCopier() }
  return (frontmatter, text, context) => {
    const metadata = tryRead(readerContext, frontmatter, text, context)
    return typeof metadata === 'string' ? loadAndRead(readerContext, frontmatter, text, context, metadata) : metadata
  }
}

async function loadAndRead(
  readerContext: ReaderContext,
  frontmatter: Frontmatter,
  text: string,
  context: ManifestContext,
  first: keyof Libraries,
): Promise<Metadata> {
  for (let needed = first; ;) {
    await loadLibrary(needed)
    const metadata = tryRead(readerContext, frontmatter, text, context)
    if (typeof metadata !== 'string') return metadata
    needed = metadata
  }
}

/** Returns the metadata, or the name of the library that has to be loaded first. */
function tryRead(
  { readPlain, copyString: copier }: ReaderContext,
  { place, warnings }: Frontmatter,
  text: string,
  context: ManifestContext,
): Metadata | keyof Libraries {
  const { path, profile, folderName } = context
  const { line } = place
  const { yaml: readYaml, patterns } = loadedLibraries()
  const report = new Report(profile, copier)
  if (warnings.length > 0) for (const { code, ...finding } of warnings) report.warning(code, finding)
  const mapping = readMapping(text, line, profile, report, readPlain, readYaml)
  if ('needs' in mapping) return mapping.needs
  const length = place.end - place.start
  let manifest: Manifest | undefined
  if (mapping.root !== undefined) {
    const field = {
      key: '',
      line: line - 1,
      folderName,
      profile,
      report,
      copyString: copier,
      patterns,
      needsPatterns: false,
    }
    // Equal lengths mean ASCII: every other character has more bytes than UTF-16 code units.
    manifest = readManifest(mapping.root, field, mayHide(text, text.length === length))
    if (field.needsPatterns) return 'patterns'
  }
  return new Metadata(path, manifest, report.diagnostics)
}
