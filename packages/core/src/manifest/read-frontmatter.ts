import type { Manifest } from '../ports/manifest.ts'
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

export function createFrontmatterReader(readPlain: PlainYamlReader): FrontmatterReader {
  return (frontmatter, text, context) => {
    const metadata = tryRead(readPlain, frontmatter, text, context)
    return typeof metadata === 'string' ? loadAndRead(readPlain, frontmatter, text, context, metadata) : metadata
  }
}

async function loadAndRead(
  readPlain: PlainYamlReader,
  frontmatter: Frontmatter,
  text: string,
  context: ManifestContext,
  first: keyof Libraries,
): Promise<Metadata> {
  for (let needed = first; ;) {
    await loadLibrary(needed)
    const metadata = tryRead(readPlain, frontmatter, text, context)
    if (typeof metadata !== 'string') return metadata
    needed = metadata
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
  if (warnings.length > 0) for (const { code, ...finding } of warnings) report.warning(code, finding)
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
