import type { Diagnostic, Manifest, Profile, SkillDefinition } from '../types.ts'
import { readDefinition } from './definition/definition.ts'
import { Report, toDiagnostic } from './diagnostics.ts'
import type { Fault, Told } from './diagnostics.ts'
import { countLines, decode, findLoneSurrogate } from './encoding.ts'
import { findFrontmatter, FRONTMATTER_LIMIT } from './fence.ts'
import type { FrontmatterPlace } from './fence.ts'
import { findHidden, mayHide, quote } from './hidden.ts'
import { PROFILES } from './profiles.ts'
import { loadedLibraries, loadLibrary } from './libraries.ts'
import type { Libraries } from './libraries.ts'
import { readManifest } from './manifest.ts'
import { readMapping } from './yaml/mapping.ts'
import type { YamlReaders } from './yaml/mapping.ts'
import type { Memory } from './memory.ts'
import { readPlainYaml } from './yaml/plain-yaml.ts'
import type { YamlReader } from './yaml/yaml.ts'

/** The largest manifest file, in bytes. */
const MANIFEST_LIMIT = 1024 * 1024

/** The first read: it holds the frontmatter of all but a handful of skills. */
const HEAD = 4096

/** What is known of a manifest file beside its bytes. */
export interface ManifestContext {
  /** As diagnostics name the file. */
  readonly path: string
  /** The folder's own name. Absent: the skill's name is not compared with it. */
  readonly folderName?: string
  /** The file's name as found. */
  readonly fileName: string
  readonly profile: Profile
}

/** What a frontmatter says. Without a manifest the skill is not loaded, and at least one error says why. */
export class Metadata {
  /** Frozen, with all that it holds. */
  readonly manifest: Manifest | undefined
  /** As they are kept; `diagnostics` words them. */
  readonly told: readonly Told[]

  constructor(manifest: Manifest | undefined, told: readonly Told[] = NOTHING) {
    this.manifest = manifest
    this.told = told
  }

  /** Made anew by each access. */
  get diagnostics(): readonly Diagnostic[] {
    return this.told.map(toDiagnostic)
  }
}

const NOTHING: readonly Told[] = []

/** A whole SKILL.md. Without a manifest the skill is not loaded, and at least one error says why. */
export interface SkillDocument {
  readonly manifest?: Manifest
  readonly diagnostics: readonly Diagnostic[]
  /** Everything after the closing fence's line, as written. Only with a manifest. */
  readonly body?: string
  /** The file's line on which the body begins, 1-based. Only with a manifest. */
  readonly bodyLine?: number
  /** What the body defines, by the manifest's type. Only with a manifest. */
  readonly definition?: SkillDefinition
}

/** A manifest file that is read no further than it must be. */
export interface ManifestFile {
  /** In bytes. */
  readonly size: number
  /** The first `length` bytes, fewer at the file's end. They are not used after the next call. */
  head(length: number): Uint8Array
  /** As `FoundSkill.hash`. */
  hash?(bytes: Uint8Array): string
}

/** Reads manifests. It never throws because of what a file holds. */
export interface ManifestParser {
  /**
   * The frontmatter alone: asks for 4 KiB, then for at most 32 KiB where the frontmatter is longer. It gives a promise
   * only where the frontmatter needs a library that is not loaded yet; the file has been read by then.
   */
  metadata(file: ManifestFile, context: ManifestContext): Metadata | Promise<Metadata>
  /** The whole file: everything that `metadata` says, and what the body gives cause for. */
  document(bytes: Uint8Array, context: ManifestContext): Promise<SkillDocument>
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

/** A frontmatter that was found and decoded, so that the file is not needed any more. */
interface Frontmatter {
  readonly text: string
  /** The file's line on which it begins, 1-based. */
  readonly line: number
  readonly found: FrontmatterPlace
  /** What was wrong before it. */
  readonly warnings: readonly Fault[]
}

/** A frontmatter that was found. */
interface Located extends Omit<Frontmatter, 'text'> {
  readonly bytes: Uint8Array
}

/**
 * Makes a parser. What is heavy (full YAML, the engine for patterns) is imported when a file first needs it.
 * @param readPlain reads the frontmatters that need no full YAML; it must give the same as full YAML, or nothing
 * @param memory what scans read before, so that `metadata` reads no frontmatter again that is the same
 */
export function createManifestParser(
  readPlain: YamlReaders['readPlain'] = readPlainYaml,
  memory?: Memory,
): ManifestParser {
  /** @param key by which the outcome is remembered; absent, it is not */
  function read(opened: Frontmatter, context: ManifestContext, key?: string): Metadata | Promise<Metadata> {
    const metadata = judge(opened, context, key)
    return 'needs' in metadata ? loadAndJudge(opened, context, metadata.needs, key) : metadata
  }

  async function loadAndJudge(
    opened: Frontmatter,
    context: ManifestContext,
    first: keyof Libraries,
    key?: string,
  ): Promise<Metadata> {
    for (let needs = first; ;) {
      await loadLibrary(needs)
      const metadata = judge(opened, context, key)
      if (!('needs' in metadata)) return metadata
      needs = metadata.needs
    }
  }

  function judge(
    { text, line, warnings }: Frontmatter,
    context: ManifestContext,
    key?: string,
  ): Metadata | { readonly needs: keyof Libraries } {
    const { path, profile, folderName } = context
    const { yaml: readYaml, patterns } = loadedLibraries()
    const report = new Report(path, profile)
    if (warnings !== NONE) for (const { code, ...finding } of warnings) report.warning(code, finding)
    const mapping = readMapping(text, line, profile, report, { readPlain, readYaml })
    if ('needs' in mapping) return mapping
    const { root } = mapping
    if (root === undefined) return new Metadata(undefined, report.told)
    let needsPatterns = false
    const needPatterns = (): void => void (needsPatterns = true)
    const reading = { folderName, profile, patterns, needPatterns, mayHide: mayHide(text) }
    const manifest = readManifest(root, line - 1, reading, report)
    if (needsPatterns) return { needs: 'patterns' }
    const metadata = new Metadata(manifest, report.told)
    if (memory !== undefined && manifest !== undefined && key !== undefined) {
      memory.keep(key, context, { manifest, told: metadata.told })
    }
    return metadata
  }

  return {
    metadata(file, context) {
      const located = locateFrontmatter(file, context)
      if ('fault' in located) return failure(context, located.fault)
      const isRemembered = memory !== undefined && isUsual(located.warnings)
      let key = isRemembered ? file.hash?.(located.bytes) : undefined
      // By the hash of its bytes it need not even be decoded.
      let outcome = key === undefined ? undefined : memory?.recall(key, context)
      if (outcome !== undefined) return new Metadata(outcome.manifest, outcome.told)
      const opened = decodeFrontmatter(located)
      if ('fault' in opened) return failure(context, opened.fault)
      if (isRemembered && key === undefined) {
        key = opened.text
        outcome = memory.recall(key, context)
      }
      return outcome === undefined ? read(opened, context, key) : new Metadata(outcome.manifest, outcome.told)
    },
    async document(bytes, context) {
      const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
      const located = locateFrontmatter(file, context)
      const opened = 'fault' in located ? located : decodeFrontmatter(located)
      if ('fault' in opened) return { diagnostics: failure(context, opened.fault).diagnostics }
      const { manifest, diagnostics } = await read(opened, context)
      if (manifest === undefined) return { diagnostics }
      const { bodyStart, bodyLine } = opened.found
      const body = decode(bytes.subarray(bodyStart), bodyLine, 'nul')
      if ('fault' in body) return { diagnostics: [...diagnostics, ...failure(context, body.fault).diagnostics] }
      const report = new Report(context.path, context.profile)
      checkBody(body.text, bodyLine, report)
      const definition = await readDefinition(manifest.type, body.text, bodyLine, readFullYaml, report)
      const all = [...diagnostics, ...new Metadata(manifest, report.told).diagnostics]
      if (definition === undefined) return { diagnostics: all }
      return { manifest, diagnostics: all, body: body.text, bodyLine, definition }
    },
  }
}

/**
 * Whether the outcome depends on nothing but the text, the profile, the path and the folder's name: the file has its
 * name and begins with its frontmatter.
 */
function isUsual(warnings: readonly Fault[]): boolean {
  return warnings.length === 0
}

async function readFullYaml(text: string, firstLine: number): Promise<ReturnType<YamlReader>> {
  await loadLibrary('yaml')
  return loadedLibraries().yaml!(text, firstLine)
}

function locateFrontmatter(file: ManifestFile, context: ManifestContext): Located | { readonly fault: Fault } {
  const misfit = checkFile(file, context)
  if (misfit?.severity === 'error') return misfit
  const { bytes, result } = findFence(file)
  if ('fault' in result) return result
  const { found } = result
  const late = checkBlankLines(found, context.profile)
  if (late?.severity === 'error') return late
  const warnings = misfit === undefined && late === undefined ? NONE : [misfit, late].flatMap((one) => one?.fault ?? [])
  return { bytes: bytes.subarray(found.start, found.end), line: found.line, found, warnings }
}

function decodeFrontmatter({ bytes, line, found, warnings }: Located): Frontmatter | { readonly fault: Fault } {
  const decoded = decode(bytes, line, 'controls')
  return 'fault' in decoded ? decoded : { text: decoded.text, line, found, warnings }
}

const NONE: readonly Fault[] = []

/** A fault that the profile may let pass. */
interface Finding {
  readonly severity: 'error' | 'warning'
  readonly fault: Fault
}

function failure(context: ManifestContext, { code, ...finding }: Fault): Metadata {
  const report = new Report(context.path, context.profile)
  report.error(code, finding)
  return new Metadata(undefined, report.told)
}

function checkFile({ size }: ManifestFile, { fileName, profile }: ManifestContext): Finding | undefined {
  const misnamed = fileName === 'SKILL.md' ? undefined : checkFileName(fileName, profile)
  if (misnamed?.severity === 'error' || size <= MANIFEST_LIMIT) return misnamed
  const message = `The file has ${size} bytes of at most ${MANIFEST_LIMIT}.`
  const hint = 'Move the detail into files beside it, and name them in the body.'
  return { severity: 'error', fault: { code: 'MANIFEST_TOO_LARGE', message, hint } }
}

function checkFileName(fileName: string, profile: Profile): Finding {
  const message = `The file is named ${quote(fileName)}.`
  const hint = 'Rename it to "SKILL.md", in exactly these letters.'
  const certain = profile === 'lenient' && fileName.toLowerCase() === 'skill.md'
  return { severity: certain ? 'warning' : 'error', fault: { code: 'MANIFEST_MISNAMED', message, hint } }
}

function findFence(file: ManifestFile): {
  readonly bytes: Uint8Array
  readonly result: Exclude<ReturnType<typeof findFrontmatter>, { readonly incomplete: true }>
} {
  for (const length of [HEAD, FRONTMATTER_LIMIT]) {
    const bytes = file.head(length).subarray(0, length)
    const result = findFrontmatter(bytes, bytes.length < length || bytes.length === file.size)
    if (!('incomplete' in result)) return { bytes, result }
  }
  const message = `The frontmatter does not end within the first ${FRONTMATTER_LIMIT} bytes of the file.`
  const hint = 'Close it with a line "---", or move data into a file beside SKILL.md.'
  return { bytes: new Uint8Array(), result: { fault: { code: 'FRONTMATTER_TOO_LARGE', line: 1, message, hint } } }
}

/** Blank lines before the fence leave only one reading; the standard begins the file with the fence all the same. */
function checkBlankLines({ blankLines }: FrontmatterPlace, profile: Profile): Finding | undefined {
  if (blankLines === 0) return undefined
  const message = `The opening "---" stands on line ${blankLines + 1}, after blank lines.`
  const fault: Fault = { code: 'FRONTMATTER_LATE', line: 1, message, hint: 'Remove the blank lines before it.' }
  return { severity: profile === 'lenient' ? 'warning' : 'error', fault }
}

function checkBody(body: string, line: number, report: Report): void {
  const hidden = findHidden(body)
  if (hidden === undefined) return
  const message = `The body holds characters that are not shown: ${hidden.codePoints.join(', ')}.`
  const hint = 'Look at them before you trust the skill, and remove them.'
  report.warning('HIDDEN_CHARACTERS', { line: line + countLines(body, hidden.index), message, hint })
}
