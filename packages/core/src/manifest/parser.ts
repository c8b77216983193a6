import { readBody } from './document.ts'
import type { SkillDocument } from './document.ts'
import { decode } from './encoding.ts'
import type { PlainYamlReader } from './fast/mapping.ts'
import { recallOne } from './fast/memory.ts'
import type { Memory } from './fast/memory.ts'
import { textKey } from './fast/memory-table.ts'
import type { BytesHash } from './fast/memory-table.ts'
import { readPlainYaml } from './fast/plain-yaml.ts'
import { guessFrontmatter, openFrontmatter } from './frontmatter.ts'
import type { Frontmatter, ManifestContext, ManifestFile } from './frontmatter.ts'
import { failedMetadata } from './metadata.ts'
import type { Metadata } from './metadata.ts'
import { createFrontmatterReader } from './read-frontmatter.ts'
import type { FrontmatterReader } from './read-frontmatter.ts'

/** Reads manifests. It never throws because of a file's content: problems become diagnostics. */
export interface ManifestParser {
  /**
   * Reads the frontmatter only: requests 4 KiB, then at most 32 KiB if the frontmatter is longer. Returns a promise only
   * if the frontmatter needs a library that is not loaded yet; the file has been read by then.
   * @param hash absent: the memory is keyed by the frontmatter's text
   */
  metadata(file: ManifestFile, context: ManifestContext, hash?: BytesHash): Metadata | Promise<Metadata>
  /**
   * Reads the whole file, with the diagnostics of its frontmatter and its body.
   * @param hash absent: the frontmatter is read again, even if a scan has read it
   */
  document(bytes: Uint8Array, context: ManifestContext, hash?: BytesHash): Promise<SkillDocument>
  /**
   * Reads the whole file for a caller that uses the skill and shows no diagnostics: they are built only if there is no
   * manifest. Returns a promise only if a library has to be loaded or the body holds a definition.
   */
  content(bytes: Uint8Array, context: ManifestContext, hash?: BytesHash): SkillDocument | Promise<SkillDocument>
}

/**
 * Returns a parser. Large libraries (full YAML, the pattern engine) are imported when a file first needs them.
 * @param readPlain reads frontmatters that need no full YAML; it must return the same as full YAML, or undefined
 * @param memory what earlier scans read, so that `metadata` does not read an unchanged frontmatter again
 */
export function createManifestParser(readPlain: PlainYamlReader = readPlainYaml, memory?: Memory): ManifestParser {
  const read = createFrontmatterReader(readPlain, memory)

  function readWhole(
    bytes: Uint8Array,
    context: ManifestContext,
    hash: BytesHash | undefined,
    isChecked: boolean,
  ): SkillDocument | Promise<SkillDocument> {
    const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
    const frontmatter = openFrontmatter(file, context)
    if ('code' in frontmatter) return { diagnostics: failedMetadata(context, frontmatter).diagnostics }
    const { bodyStart, bodyLine } = frontmatter.place
    const bodyBytes = bytes.subarray(bodyStart)
    const metadata = recallFromScan(frontmatter, context, hash) ?? decodeAndRead(read, frontmatter, context)
    return metadata instanceof Promise
      ? metadata.then((later) => readBody(later, bodyBytes, bodyLine, context, isChecked))
      : readBody(metadata, bodyBytes, bodyLine, context, isChecked)
  }

  return {
    metadata(file, context, hash) {
      const guessed = memory && hash && recallGuessed(memory, file, context, hash)
      if (guessed !== undefined) return guessed
      const frontmatter = openFrontmatter(file, context)
      if ('code' in frontmatter) return failedMetadata(context, frontmatter)
      // Without warnings the result depends only on the text, the profile and the folder's name.
      return memory === undefined || frontmatter.warnings.length > 0
        ? decodeAndRead(read, frontmatter, context)
        : recallOrRead(memory, read, frontmatter, context, hash)
    },
    document: async (bytes, context, hash) => readWhole(bytes, context, hash, true),
    content: (bytes, context, hash) => readWhole(bytes, context, hash, false),
  }
}

function decodeAndRead(
  read: FrontmatterReader,
  frontmatter: Frontmatter,
  context: ManifestContext,
): Metadata | Promise<Metadata> {
  const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
  return typeof text === 'string' ? read(frontmatter, text, context) : failedMetadata(context, text)
}

/** A known frontmatter is found by the hash of its bytes and not even decoded; in a first scan, by its text. */
function recallOrRead(
  memory: Memory,
  read: FrontmatterReader,
  frontmatter: Frontmatter,
  context: ManifestContext,
  hash: BytesHash | undefined,
): Metadata | Promise<Metadata> {
  const { bytes, place } = frontmatter
  const key = memory.hashesNow ? hash?.(bytes) : undefined
  const known = key === undefined ? undefined : memory.recall(key, context)
  if (known !== undefined) return known
  const text = decode(bytes, place.line, 'controls')
  if (typeof text !== 'string') return failedMetadata(context, text)
  if (key !== undefined) return read(frontmatter, text, context, key)
  const byText = textKey(text)
  return memory.recall(byText, context, hash) ?? read(frontmatter, text, context, byText, hash)
}

/**
 * Most files are unchanged since the last scan: then the end of the frontmatter need not be searched for. Bytes that the
 * memory knows were a frontmatter before, so they are whole lines without a fence.
 */
function recallGuessed(
  memory: Memory,
  file: ManifestFile,
  context: ManifestContext,
  hash: BytesHash,
): Metadata | undefined {
  const length = memory.expectedBytes()
  const bytes = length === -1 ? undefined : guessFrontmatter(file, context.fileName, length)
  return bytes === undefined ? undefined : memory.recall(hash(bytes), context)
}

/** Returns what a scan read from the same frontmatter, if the result depends on nothing else. */
function recallFromScan(
  { bytes, warnings }: Frontmatter,
  context: ManifestContext,
  hash: BytesHash | undefined,
): Metadata | undefined {
  return hash === undefined || warnings.length > 0 ? undefined : recallOne(hash(bytes), context, context.profile)
}
