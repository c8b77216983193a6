import {
  type FolderListing,
  type Layer,
  type SkillType,
  type ToolRule,
  enclosed,
  escapeText,
  escapeXml,
  formatRule,
  oneLine,
  showName,
  stripInvisible,
  hasScriptExtension,
  isScriptFile,
} from '@repertoire/skill-md/internal'
import { type GateMode } from '@repertoire/gate/internal'
import { toolLines } from './guidance.ts'

/** The result of an activation. */
export interface Activation {
  readonly name: string
  readonly description: string
  /** The real path of the skill's folder: relative paths in the instructions resolve against it. */
  readonly basePath: string
  /** The whole body of SKILL.md with the arguments filled in: see `applyArguments`. */
  readonly instructions: string
  /** `allowed-tools` as rules, in the names of the host's tools. Absent: the skill restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** `disallowed-tools` as rules, in the names of the host's tools. Absent: the skill forbids nothing. */
  readonly disallowedTools?: readonly string[]
  /** Whether the host gave `allowedTools` to a skill that names no tools. Absent: it did not. */
  readonly assumedTools?: true
  /** How its rules are applied. Absent: `restrict`. */
  readonly mode?: Exclude<GateMode, 'restrict'>
  readonly args?: string
  readonly folder: FolderSummary
  /** The folder's path for the model. As `basePath`, unless the task has a private copy: `private:/.skills/…`. */
  readonly mountPath: string
  readonly layer: Layer
  /** The id of the source that found it. */
  readonly source: string
  /** Where it was imported from: the field `source` of its manifest. Absent: it is local. */
  readonly origin?: string
  readonly type: SkillType
  readonly metadata: Readonly<Record<string, string>>
}

/** Returns an activation as the text that the model is shown. */
export function activationText(activation: Activation): string {
  const { name, basePath, mountPath, instructions, allowedTools, disallowedTools, args } = activation
  const { folder, type, metadata, assumedTools, mode = 'restrict' } = activation
  let head = `<skill_content name="${named(name)}"${type === 'instruction' ? '' : ` type="${type}"`}>\n`
  head += `Skill directory: ${named(mountPath)}\n`
  if (basePath !== mountPath) head += `Its real path, for shell commands: ${named(basePath)}\n`
  const rules = {
    allowed: allowedTools?.map(named),
    denied: disallowedTools?.map(named),
    assumed: assumedTools === true,
  }
  for (const line of toolLines(mode, rules)) head += `${line}\n`
  if (args !== undefined) head += `Arguments: ${escapeText(stripInvisible(args))}\n`
  for (const [key, value] of Object.entries(metadata)) head += `Metadata ${safeLine(key)}: ${safeLine(value)}\n`
  let tail = ''
  if (folder.files.length > 0) {
    tail += '\nFiles:\n'
    for (const path of folder.files) tail += `- ${named(path)}\n`
    if (folder.truncated) tail += 'There are more. The largest folders:\n'
    for (const { path, files } of folder.folders ?? []) tail += `- ${named(path)}/ (${files} files)\n`
  }
  return `${head}\n${enclosed(instructions).trim()}\n${tail}</skill_content>`
}

/** Returns the rules as a person or a model reads them. */
export function formatRules(rules: readonly ToolRule[]): readonly string[] {
  return rules.map(formatRule)
}

function named(text: string): string {
  return escapeXml(showName(text))
}

// On one line, since otherwise a value could imitate the lines around it.
function safeLine(text: string): string {
  return oneLine(stripInvisible(text))
}

/** The files of a skill, limited in number. */
interface FolderSummary {
  /** First files that the instructions name, then scripts, then other files an interpreter runs. At most 50. */
  readonly files: readonly string[]
  readonly truncated: boolean
  /** The largest folders with the number of files directly in each, at most 20. Absent: every file is listed. */
  readonly folders?: readonly FolderCount[]
}

/** A folder of a skill. */
interface FolderCount {
  /** Relative to the skill's folder; `.` is the skill's folder itself. */
  readonly path: string
  readonly files: number
}

const MAX_FILES = 50
const MAX_FOLDERS = 20

/** Summarises a skill's folder for a model, without the manifest. Scripts and files that the body names come first. */
export function summariseFolder(listing: FolderListing, body: string): FolderSummary {
  const isNamed = createNameTest(body)
  const inFolder = new Map<string, number>()
  const files = listing.files
    .filter(({ path }) => path !== 'SKILL.md')
    .map((file) => {
      const folder = folderOf(file.path)
      const place = inFolder.get(folder) ?? 0
      inFolder.set(folder, place + 1)
      const rank = isNamed(file.path) ? 0 : isScriptFile(file) ? 1 : hasScriptExtension(file.path) ? 2 : 3
      return { path: file.path, rank, place }
    })
  const isCut = files.length > MAX_FILES
  // A folder of many files would hide the others, so each folder gives one file in turn.
  const sorted = files.toSorted((one, other) => one.rank - other.rank || (isCut ? one.place - other.place : 0))
  const summary = { files: sorted.slice(0, MAX_FILES).map(({ path }) => path), truncated: isCut || listing.truncated }
  if (!summary.truncated) return summary
  const folders = [...inFolder]
    .map(([path, count]) => ({ path, files: count }))
    .toSorted((one, other) => other.files - one.files)
  return { ...summary, folders: folders.slice(0, MAX_FOLDERS) }
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '.' : path.slice(0, end)
}

const PATH = /[\p{L}\p{M}\p{N}_./%@+~-]+/gu
/** What no word of a text holds. */
const NO_PATH = /[^\p{L}\p{M}\p{N}_./%@+~-]/u

function createNameTest(body: string): (path: string) => boolean {
  const text = body.replaceAll('\\', '/')
  const paths = pathsIn(text)
  return (path) => paths.has(path) || (NO_PATH.test(path) && text.includes(path))
}

/** Everything in a text that may be a relative path: in links, code and prose. Escapes of links are decoded. */
function pathsIn(body: string): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const [word] of body.matchAll(PATH)) {
    const path = word.replace(/^(?:\.?\/)+/, '').replace(/\.+$/, '')
    paths.add(path).add(decoded(path))
  }
  return paths
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
