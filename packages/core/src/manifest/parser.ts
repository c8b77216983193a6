import { readBody } from './document.ts'
import type { SkillDocument } from './document.ts'
import { decode } from './encoding.ts'
import type { PlainYamlReader } from './fast/mapping.ts'
import { recallOne } from './fast/memory.ts'
import type { BytesHash, Memory } from './fast/memory.ts'
import { readPlainYaml } from './fast/plain-yaml.ts'
import { guessFrontmatter, openFrontmatter } from './frontmatter.ts'
import type { Frontmatter, ManifestContext, ManifestFile } from './frontmatter.ts'
import { failedMetadata } from './metadata.ts'
import type { Metadata } from './metadata.ts'
import { createFrontmatterReader } from './read-frontmatter.ts'
import type { FrontmatterReader } from './read-frontmatter.ts'

/** Reads manifests. It never throws because of what a file holds. */
export interface ManifestParser {
  /**
   * The frontmatter alone: asks for 4 KiB, then for at most 32 KiB where the frontmatter is longer. Returns a promise
   * only where the frontmatter needs a library that is not loaded yet; the file has been read by then.
   * @param hash absent: a frontmatter is remembered by its text
   */
  metadata(file: ManifestFile, context: ManifestContext, hash?: BytesHash): Metadata | Promise<Metadata>
  /**
   * The whole file: the diagnostics of its frontmatter and of its body.
   * @param hash absent: what a scan read of the frontmatter is not used
   */
  document(bytes: Uint8Array, context: ManifestContext, hash?: BytesHash): Promise<SkillDocument>
  /**
   * The same for a caller that uses the skill and shows nobody what could be better: diagnostics are made only where
   * there is no manifest. Returns a promise only where a library has to be loaded, or the body defines something.
   */
  content(bytes: Uint8Array, context: ManifestContext, hash?: BytesHash): SkillDocument | Promise<SkillDocument>
}

/**
 * Makes a parser. What is heavy (full YAML, the engine for patterns) is imported when a file first needs it.
 * @param readPlain reads the frontmatters that need no full YAML; it must give the same as full YAML, or nothing
 * @param memory what scans read before, so that `metadata` reads no frontmatter again that is the same
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
      // Without warnings the outcome depends on the text, the profile and the folder's name alone.
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

/** By the hash of its bytes a known frontmatter need not even be decoded. */
function recallOrRead(
  memory: Memory,
  read: FrontmatterReader,
  frontmatter: Frontmatter,
  context: ManifestContext,
  hash: BytesHash | undefined,
): Metadata | Promise<Metadata> {
  const { bytes, place } = frontmatter
  const key = hash?.(bytes)
  const known = key === undefined ? undefined : memory.recall(key, context)
  if (known !== undefined) return known
  const text = decode(bytes, place.line, 'controls')
  if (typeof text !== 'string') return failedMetadata(context, text)
  if (key !== undefined) return read(frontmatter, text, context, key)
  return memory.recall(text, context) ?? read(frontmatter, text, context, text)
}

/**
 * Most files are what they were in the last scan: then nobody has to look where the frontmatter ends. What is
 * remembered was a frontmatter once, so that it ends with a line and holds no fence.
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

/** What a scan read of the same frontmatter, where the outcome depends on nothing else. */
function recallFromScan(
  { bytes, warnings }: Frontmatter,
  context: ManifestContext,
  hash: BytesHash | undefined,
): Metadata | undefined {
  return hash === undefined || warnings.length > 0 ? undefined : recallOne(hash(bytes), context, context.profile)
}
