import type { Diagnostic, Manifest, Profile } from '../types.ts'
import { createReport } from './diagnostics.ts'
import type { Fault, Report } from './diagnostics.ts'
import { countLines, decode, findLoneSurrogate } from './encoding.ts'
import { findFrontmatter, FRONTMATTER_LIMIT } from './fence.ts'
import type { Frontmatter } from './fence.ts'
import { findHidden, quote } from './hidden.ts'
import { readManifest } from './manifest.ts'
import { repairLine } from './repair.ts'
import type { Repair } from './repair.ts'
import { describeType } from './tree.ts'
import type { YamlMap } from './tree.ts'
import { createYamlReader } from './yaml.ts'
import type { YamlReader } from './yaml.ts'

/** The largest manifest file, in bytes. */
const MANIFEST_LIMIT = 1024 * 1024

/** The first read: it holds the frontmatter of all but a handful of skills. */
const HEAD = 4096

/** More errors of one kind in one frontmatter are no slip of a hand. */
const MAX_REPAIRS = 8

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

/** Without a manifest the skill is not loaded, and at least one diagnostic of severity `error` says why. */
interface MetadataResult {
  readonly manifest?: Manifest
  readonly diagnostics: readonly Diagnostic[]
}

/** A whole SKILL.md. */
export interface SkillDocument extends MetadataResult {
  /** Everything after the closing fence's line, as written. Only with a manifest. */
  readonly body?: string
  /** The file's line on which the body begins, 1-based. Only with a manifest. */
  readonly bodyLine?: number
}

/** A manifest file that is read no further than it must be. */
export interface ManifestFile {
  /** In bytes. */
  readonly size: number
  /** The first `length` bytes, fewer at the file's end. They are not used after the next call. */
  head(length: number): Uint8Array
}

/** Reads manifests. It never throws because of what a file holds. */
export interface ManifestParser {
  /** The frontmatter alone: asks for 4 KiB, then for at most 32 KiB where the frontmatter is longer. */
  metadata(file: ManifestFile, context: ManifestContext): MetadataResult
  /** The whole file: everything that `metadata` says, and what the body gives cause for. */
  document(bytes: Uint8Array, context: ManifestContext): SkillDocument
}

let loading: Promise<ManifestParser> | undefined

/** Gives the parser. The YAML library is imported by the first call. */
export function loadManifestParser(): Promise<ManifestParser> {
  loading ??= import('yaml').then((library) => createParser(createYamlReader(library)))
  return loading
}

/**
 * Parses one SKILL.md. Never rejects because of what the text holds.
 * @param context defaults: path and file name `SKILL.md`, profile `default`, the folder's name not compared
 */
export async function parseSkill(
  text: string | Uint8Array,
  context: Partial<ManifestContext> = {},
): Promise<SkillDocument> {
  const { path = 'SKILL.md', fileName = 'SKILL.md', profile = 'default', folderName } = context
  const full = { path, fileName, profile, ...(folderName === undefined ? {} : { folderName }) }
  const parser = await loadManifestParser()
  if (typeof text !== 'string') return parser.document(text, full)
  const fault = findLoneSurrogate(text)
  return fault === undefined ? parser.document(new TextEncoder().encode(text), full) : failure(full, fault)
}

function createParser(readYaml: YamlReader): ManifestParser {
  function read(file: ManifestFile, context: ManifestContext): MetadataResult & { readonly found?: Frontmatter } {
    const report = createReport(context.path, context.profile)
    const fault = checkFile(file, context, report)
    if (fault !== undefined) return failure(context, fault)
    const { bytes, result } = findFence(file)
    if ('fault' in result) return failure(context, result.fault)
    const { found } = result
    const late = checkBlankLines(found, context.profile)
    if (late?.severity === 'error') return failure(context, late.fault)
    if (late !== undefined) report.warning(late.fault.code, late.fault)
    const decoded = decode(bytes.subarray(found.start, found.end), found.line, 'controls')
    if ('fault' in decoded) return failure(context, decoded.fault)
    const root = readMapping(decoded.text, found.line, context.profile, report)
    const manifest = root === undefined ? undefined : readManifest(root, found.line - 1, context, report)
    const { diagnostics } = report
    return manifest === undefined ? { diagnostics } : { manifest, diagnostics, found }
  }

  /** Nothing where an error was reported. */
  function readMapping(text: string, line: number, profile: Profile, report: Report): YamlMap | undefined {
    const repairs: Repair[] = []
    let result = readYaml(text, line)
    const original = result
    while ('fault' in result && result.fault.code === 'YAML_INVALID' && repairs.length < MAX_REPAIRS) {
      const repair = repairLine(repairs.at(-1)?.text ?? text, (result.fault.line ?? line) - line)
      if (repair === undefined) break
      repairs.push(repair)
      result = readYaml(repair.text, line)
    }
    if ('fault' in result || (profile === 'strict' && repairs.length > 0)) {
      const { fault } = original as { readonly fault: Fault }
      const [first] = repairs
      const hint = first === undefined ? fault.hint : `Put the value of "${first.key}" in quotes: it ${first.reason}.`
      report.error(fault.code, { ...fault, ...(hint === undefined ? {} : { hint }) })
      return undefined
    }
    for (const { key, line: offset, reason } of repairs) {
      const message = `The value of "${key}" ${reason}. It was read as text.`
      report.warning('YAML_REPAIRED', { line: line + offset, message, hint: 'Put it in quotes.' })
    }
    if (result.root.kind === 'map') return result.root
    const message = `The frontmatter is ${describeType(result.root)}, not a mapping of fields.`
    report.error('YAML_NOT_MAPPING', { line, message, hint: 'Write one "field: value" on each line.' })
    return undefined
  }

  return {
    metadata(file, context) {
      const { manifest, diagnostics } = read(file, context)
      return manifest === undefined ? { diagnostics } : { manifest, diagnostics }
    },
    document(bytes, context) {
      const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
      const { manifest, diagnostics, found } = read(file, context)
      if (manifest === undefined || found === undefined) return { diagnostics }
      const body = decode(bytes.subarray(found.bodyStart), found.bodyLine, 'nul')
      if ('fault' in body) return { diagnostics: [...diagnostics, ...failure(context, body.fault).diagnostics] }
      const report = createReport(context.path, context.profile)
      checkBody(body.text, found.bodyLine, report)
      return {
        manifest,
        diagnostics: [...diagnostics, ...report.diagnostics],
        body: body.text,
        bodyLine: found.bodyLine,
      }
    },
  }
}

function failure(context: ManifestContext, { code, ...finding }: Fault): MetadataResult {
  const report = createReport(context.path, context.profile)
  report.error(code, finding)
  return { diagnostics: report.diagnostics }
}

function checkFile({ size }: ManifestFile, { fileName, profile }: ManifestContext, report: Report): Fault | undefined {
  if (fileName !== 'SKILL.md') {
    const message = `The file is named ${quote(fileName)}.`
    const hint = 'Rename it to "SKILL.md", in exactly these letters.'
    const certain = profile === 'lenient' && fileName.toLowerCase() === 'skill.md'
    if (!certain) return { code: 'MANIFEST_MISNAMED', message, hint }
    report.warning('MANIFEST_MISNAMED', { message, hint })
  }
  if (size <= MANIFEST_LIMIT) return undefined
  const message = `The file has ${size} bytes of at most ${MANIFEST_LIMIT}.`
  return {
    code: 'MANIFEST_TOO_LARGE',
    message,
    hint: 'Move the detail into files beside it, and name them in the body.',
  }
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
function checkBlankLines(
  { blankLines }: Frontmatter,
  profile: Profile,
): { readonly severity: 'error' | 'warning'; readonly fault: Fault } | undefined {
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
