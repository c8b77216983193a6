import { readBody, type SkillDocument } from './document.ts'
import { decode } from './encoding.ts'
import { readPlainYaml } from './fast/plain-yaml.ts'
import type { PlainYamlReader } from './fast/mapping.ts'
import { openFrontmatter, type Frontmatter, type ManifestContext, type ManifestFile } from './frontmatter.ts'
import { failedMetadata, type Metadata } from './metadata.ts'
import { createFrontmatterReader } from './read-frontmatter.ts'

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

/**
 * Returns a parser. Large libraries (full YAML, the pattern engine) are imported when a file first needs them.
 * @param readPlain reads frontmatters that need no full YAML; it must return the same as full YAML, or undefined
 */
export function createManifestParser(readPlain: PlainYamlReader = readPlainYaml): ManifestParser {
  const read = createFrontmatterReader(readPlain)

  function metadataOf(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
    const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
    return typeof text === 'string' ? read(frontmatter, text, context) : failedMetadata(context, text)
  }

  async function readWhole(bytes: Uint8Array, context: ManifestContext, isChecked: boolean): Promise<SkillDocument> {
    const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
    const frontmatter = openFrontmatter(file, context)
    if ('code' in frontmatter) return { diagnostics: failedMetadata(context, frontmatter).diagnostics }
    const { bodyStart, bodyLine } = frontmatter.place
    const metadata = await metadataOf(frontmatter, context)
    return readBody(metadata, bytes.subarray(bodyStart), bodyLine, context, isChecked)
  }

  return {
    metadata(file, context) {
      const frontmatter = openFrontmatter(file, context)
      return 'code' in frontmatter ? failedMetadata(context, frontmatter) : metadataOf(frontmatter, context)
    },
    document: (bytes, context) => readWhole(bytes, context, true),
    content: (bytes, context) => readWhole(bytes, context, false),
  }
}
