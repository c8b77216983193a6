import { createStringCopier, copyString } from '../text/copy-string.ts'
import { Report } from './diagnostics.ts'
import { readBody } from './document.ts'
import type { SkillDocument } from './document.ts'
import { decode, findLoneSurrogate } from './encoding.ts'
import { guessFrontmatter, openFrontmatter } from './frontmatter.ts'
import type { Frontmatter, ManifestContext, ManifestFile } from './frontmatter.ts'
import { mayHide, quote } from './hidden.ts'
import { loadedLibraries, loadLibrary } from './libraries.ts'
import type { Libraries } from './libraries.ts'
import { readManifest } from './manifest.ts'
import { recallOne } from './fast/memory.ts'
import type { Memory } from './fast/memory.ts'
import { failure, Metadata } from './metadata.ts'
import { PROFILES } from './profiles.ts'
import { readMapping } from './fast/mapping.ts'
import type { PlainYamlReader } from './fast/mapping.ts'
import { readPlainYaml } from './fast/plain-yaml.ts'

/** Reads manifests. It never throws because of what a file holds. */
export interface ManifestParser {
  /**
   * The frontmatter alone: asks for 4 KiB, then for at most 32 KiB where the frontmatter is longer. It gives a promise
   * only where the frontmatter needs a library that is not loaded yet; the file has been read by then.
   */
  metadata(file: ManifestFile, context: ManifestContext): Metadata | Promise<Metadata>
  /**
   * The whole file: everything that `metadata` says, and what the body gives cause for.
   * @param hash as `FoundSkill.hash`: by it, what a scan read of the frontmatter is known again
   */
  document(bytes: Uint8Array, context: ManifestContext, hash?: (bytes: Uint8Array) => string): Promise<SkillDocument>
  /**
   * The same for whoever uses the skill and shows nobody what could be better: diagnostics are made only where there is
   * no manifest to be had. It gives a promise only where a library has to be loaded, or the body defines something.
   */
  content(
    bytes: Uint8Array,
    context: ManifestContext,
    hash?: (bytes: Uint8Array) => string,
  ): SkillDocument | Promise<SkillDocument>
}

/**
 * Parses one SKILL.md. Never rejects because of what the text holds.
 * @param context defaults: path and file name `SKILL.md`, profile `default`, the folder's name not compared
 * @throws {TypeError} it is neither text nor bytes, or there is no such profile: that would be a lax one
 */
export async function parseSkill(
  text: string | Uint8Array,
  context: Partial<ManifestContext> = {},
): Promise<SkillDocument> {
  const { path = 'SKILL.md', fileName = 'SKILL.md', profile = 'default', folderName } = context
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('parseSkill: pass the file as text, or as the bytes of it in a Uint8Array.')
  }
  if (!PROFILES.includes(profile)) {
    throw new TypeError(`parseSkill: there is no profile ${quote(profile)}. Give ${PROFILES.join(', ')}.`)
  }
  const full = { path, fileName, profile, ...(folderName === undefined ? {} : { folderName }) }
  const parser = createManifestParser()
  if (typeof text !== 'string') return parser.document(text, full)
  const fault = findLoneSurrogate(text)
  if (fault !== undefined) return { diagnostics: failure(full, fault).diagnostics }
  return parser.document(new TextEncoder().encode(text), full)
}

/**
 * Makes a parser. What is heavy (full YAML, the engine for patterns) is imported when a file first needs it.
 * @param readPlain reads the frontmatters that need no full YAML; it must give the same as full YAML, or nothing
 * @param memory what scans read before, so that `metadata` reads no frontmatter again that is the same
 */
export function createManifestParser(readPlain: PlainYamlReader = readPlainYaml, memory?: Memory): ManifestParser {
  // A scan reads thousands of files and keeps what they say.
  const detaching = memory === undefined ? copyString : createStringCopier()

  /** @param key by which the outcome is remembered; absent, it is not */
  function read(
    frontmatter: Frontmatter,
    text: string,
    context: ManifestContext,
    key?: string,
  ): Metadata | Promise<Metadata> {
    const metadata = judge(frontmatter, text, context, key)
    return typeof metadata === 'string' ? loadAndJudge(frontmatter, text, context, metadata, key) : metadata
  }

  async function loadAndJudge(
    frontmatter: Frontmatter,
    text: string,
    context: ManifestContext,
    first: keyof Libraries,
    key?: string,
  ): Promise<Metadata> {
    for (let needed = first; ;) {
      await loadLibrary(needed)
      const metadata = judge(frontmatter, text, context, key)
      if (typeof metadata !== 'string') return metadata
      needed = metadata
    }
  }

  /** The metadata, or the library that it needs first. */
  function judge(
    { place, warnings }: Frontmatter,
    text: string,
    context: ManifestContext,
    key?: string,
  ): Metadata | keyof Libraries {
    const { path, profile, folderName } = context
    const { line } = place
    const { yaml: readYaml, patterns } = loadedLibraries()
    const report = new Report(profile, detaching)
    if (warnings.length > 0) for (const { code, ...finding } of warnings) report.warning(code, finding)
    const mapping = readMapping(text, line, profile, report, readPlain, readYaml)
    if ('needs' in mapping) return mapping.needs
    const { root } = mapping
    if (root === undefined) return new Metadata(path, undefined, report.told)
    const field = {
      key: '',
      line: line - 1,
      folderName,
      profile,
      report,
      copyString: detaching,
      patterns,
      needsPatterns: false,
    }
    // What is not ASCII has fewer units than bytes.
    const manifest = readManifest(root, field, mayHide(text, text.length === place.end - place.start))
    if (field.needsPatterns) return 'patterns'
    if (key === undefined || manifest === undefined || memory === undefined)
      return new Metadata(path, manifest, report.told)
    return memory.keep(key, context, manifest, report.told, place.end - place.start)
  }

  /**
   * Most files are what they were in the last scan: then nobody has to look where the frontmatter ends. What is
   * remembered was a frontmatter once, so that it ends with a line and holds no fence.
   */
  function recallGuessed(file: ManifestFile, context: ManifestContext): Metadata | undefined {
    const length = memory === undefined || file.hash === undefined ? -1 : memory.expected()
    const bytes = length === -1 ? undefined : guessFrontmatter(file, context.fileName, length)
    return bytes === undefined ? undefined : memory?.recall(file.hash!(bytes), context)
  }

  function readAnew(frontmatter: Frontmatter, context: ManifestContext): Metadata | Promise<Metadata> {
    const text = decode(frontmatter.bytes, frontmatter.place.line, 'controls')
    return typeof text === 'string' ? read(frontmatter, text, context) : failure(context, text)
  }

  /** @param isJudged whether the body is looked at for what people are to be told of it */
  function readWhole(
    bytes: Uint8Array,
    context: ManifestContext,
    hash: ((bytes: Uint8Array) => string) | undefined,
    isJudged: boolean,
  ): SkillDocument | Promise<SkillDocument> {
    const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
    const frontmatter = openFrontmatter(file, context)
    if ('code' in frontmatter) return { diagnostics: failure(context, frontmatter).diagnostics }
    const { bodyStart, bodyLine } = frontmatter.place
    const bodyBytes = bytes.subarray(bodyStart)
    const metadata = recallFrom(frontmatter, context, hash) ?? readAnew(frontmatter, context)
    return metadata instanceof Promise
      ? metadata.then((later) => readBody(later, bodyBytes, bodyLine, context, isJudged))
      : readBody(metadata, bodyBytes, bodyLine, context, isJudged)
  }

  return {
    metadata(file, context) {
      const known = recallGuessed(file, context)
      if (known !== undefined) return known
      const frontmatter = openFrontmatter(file, context)
      if ('code' in frontmatter) return failure(context, frontmatter)
      const { bytes, place, warnings } = frontmatter
      // Then the outcome depends on the text, the profile and the folder's name alone.
      const isRemembered = memory !== undefined && warnings.length === 0
      // By the hash of its bytes it need not even be decoded.
      const key = isRemembered ? file.hash?.(bytes) : undefined
      const recalled = key === undefined ? undefined : memory?.recall(key, context)
      if (recalled !== undefined) return recalled
      const text = decode(bytes, place.line, 'controls')
      if (typeof text !== 'string') return failure(context, text)
      if (!isRemembered || key !== undefined) return read(frontmatter, text, context, key)
      return memory.recall(text, context) ?? read(frontmatter, text, context, text)
    },
    document: async (bytes, context, hash) => readWhole(bytes, context, hash, true),
    content: (bytes, context, hash) => readWhole(bytes, context, hash, false),
  }
}

/** What a scan read of a frontmatter, where what it says depends on nothing else. */
function recallFrom(
  { bytes, warnings }: Frontmatter,
  context: ManifestContext,
  hash: ((bytes: Uint8Array) => string) | undefined,
): Metadata | undefined {
  const isRemembered = hash !== undefined && warnings.length === 0
  return isRemembered ? recallOne(hash(bytes), context, context.profile) : undefined
}
