import { showName, SkillError } from '@repertoire/core'
import { storedPathProblem } from '@repertoire/core/stores'
import { folderNameOf } from './folder-name.ts'

/** The file that the `skills` command keeps in a project. */
export const LOCK_NAME = 'skills-lock.json'

/** The folder of a project that every client looks in, and where skills are installed unless a host says otherwise. */
export const SKILLS_FOLDER = '.agents/skills'

/** The version of the format that is known. */
const VERSION = 1

/** A file of a skill, as it was when it was added. */
export interface PinnedFile {
  /** Hex. */
  readonly sha256: string
  /** Whether the file may be executed. Absent: it may not. */
  readonly executable?: true
}

/** Exactly what was added: ours, beside what the `skills` command writes. */
export interface SkillPin {
  /** The commit, the version or the digest that was fetched. Absent: the origin has none, such as a folder. */
  readonly revision?: string
  /** Every file, by its path. */
  readonly files: Readonly<Record<string, PinnedFile>>
  /** The folder that it is in, with others, relative to the project. Absent: `.agents/skills`. */
  readonly folder?: string
  /** Folders of other clients that have a link to it, relative to the project. */
  readonly also?: readonly string[]
  /** The scan before it was installed. Absent: there was none. It is a record, and nothing is decided by it. */
  readonly scan?: PinnedScan
}

/** What a scanner said of a skill. */
export interface PinnedScan {
  readonly scanner: string
  readonly version?: string
  readonly verdict: string
  /** How many findings it had. */
  readonly findings: number
}

/** An entry of the lock. Keys that are not known here are kept as they are. */
export interface LockedSkill {
  readonly source: string
  /** `github`, `git`, `local`, `well-known`, … */
  readonly sourceType: string
  readonly sourceUrl?: string
  /** A branch or a tag, as it was asked for. */
  readonly ref?: string
  /** The path of SKILL.md in the source. */
  readonly skillPath?: string
  /** As the `skills` command computes it; two different folders may have the same one. */
  readonly computedHash?: string
  readonly repertoire?: SkillPin
  readonly [key: string]: unknown
}

/** What a lock file holds. */
export interface SkillsLock {
  /** By name, in code-unit order. */
  readonly skills: ReadonlyMap<string, LockedSkill>
  /** Other keys of the file. They are kept. */
  readonly extra: Readonly<Record<string, unknown>>
}

const TEXTS = ['sourceUrl', 'ref', 'skillPath', 'computedHash'] as const
const SHA256 = /^[\da-f]{64}$/

/** @throws {SkillError} LOCK_INVALID, with the line if it is known */
export function parseSkillsLock(text: string, path: string): SkillsLock {
  const fail = (reason: string, key?: string): never => {
    throw invalid(path, key === undefined ? 1 : lineOf(text, text.indexOf(JSON.stringify(key))), reason)
  }
  const value = parseJson(text, path)
  if (!isMapping(value)) return fail('it is not an object with "version" and "skills"')
  const { version, skills, ...extra } = value
  if (typeof version === 'number' && version > VERSION) {
    fail(`its version ${version} is newer than ${VERSION}, the one that is known. Update this package`, 'version')
  }
  if (version !== VERSION) fail(`its "version" is not ${VERSION}`, 'version')
  if (!isMapping(skills)) return fail('its "skills" is not an object', 'skills')
  const folders = new Map<string, string>()
  for (const [name, entry] of Object.entries(skills)) {
    const problem = nameProblem(name) ?? entryProblem(entry)
    if (problem !== undefined) fail(`the skill ${JSON.stringify(name)} ${problem}`, name)
    const folder = folderNameOf(name)
    const other = folders.get(folder)
    if (other !== undefined) fail(`"${other}" and "${name}" would be in one folder, ${showName(folder)}`, name)
    folders.set(folder, name)
  }
  const pins = Object.values(skills as Readonly<Record<string, LockedSkill>>).flatMap(
    ({ repertoire }) => repertoire ?? [],
  )
  const [place, another] = new Set(pins.map(({ folder = SKILLS_FOLDER }) => folder))
  if (another !== undefined)
    fail(`its skills are in ${place} and in ${another}, and a project has one "folder"`, 'folder')
  return { skills: new Map((Object.entries(skills) as [string, LockedSkill][]).toSorted(byName)), extra }
}

/** The marks that git leaves where two changes do not fit together. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?:[ \r\n]|$)/m

/** Parses a text as JSON whose keys are each once in their object. @throws {SkillError} LOCK_INVALID */
function parseJson(text: string, path: string): unknown {
  const conflict = text.search(CONFLICT)
  if (conflict !== -1) throw invalid(path, lineOf(text, conflict), 'it holds the marks of a merge that is not finished')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(path, undefined, `it is not JSON: ${showName((error as Error).message)}`)
  }
  const repeated = repeatedKey(text)
  if (repeated === undefined) return value
  throw invalid(path, lineOf(text, repeated.index), `it has the key ${repeated.key} twice`)
}

const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g

/** Finds a key that an object of a JSON text has twice, as a merge may leave it: `JSON.parse` takes the last. */
function repeatedKey(text: string): { readonly key: string; readonly index: number } | undefined {
  const objects: Set<string>[] = []
  for (const { 0: token, 1: key, 2: colon, index } of text.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (key !== undefined && colon !== undefined) {
      const keys = objects.at(-1)!
      const name = JSON.parse(key) as string
      if (keys.has(name)) return { key, index }
      keys.add(name)
    }
  }
  return undefined
}

function lineOf(text: string, index: number): number {
  return text.slice(0, Math.max(0, index)).split('\n').length
}

/** Returns a lock's text as the `skills` command writes it: the skills sorted, two spaces, a line feed at the end. */
export function renderSkillsLock({ skills, extra }: SkillsLock): string {
  const sorted = Object.fromEntries([...skills].toSorted(byName))
  return `${JSON.stringify({ version: VERSION, skills: sorted, ...extra }, null, 2)}\n`
}

/** Returns why a value cannot be an entry; undefined if it can. */
export function entryProblem(entry: unknown): string | undefined {
  if (!isMapping(entry)) return 'is not an object'
  for (const key of ['source', 'sourceType'] as const) if (typeof entry[key] !== 'string') return `has no "${key}"`
  for (const key of TEXTS)
    if (key in entry && typeof entry[key] !== 'string') return `has a "${key}" that is not a text`
  return 'repertoire' in entry ? pinProblem(entry['repertoire']) : undefined
}

/** Names become the names of folders. */
export function nameProblem(name: string): string | undefined {
  const folder = folderNameOf(name)
  const problem =
    name === '' || /[/\\]/.test(name)
      ? 'it leads elsewhere'
      : folder.startsWith('.')
        ? 'it is hidden'
        : storedPathProblem(folder)
  return problem === undefined ? undefined : `has a name that is not one of a folder: ${problem}`
}

function pinProblem(pin: unknown): string | undefined {
  if (!isMapping(pin) || !isMapping(pin['files'])) return 'has a "repertoire" without "files"'
  if ('revision' in pin && typeof pin['revision'] !== 'string') return 'has a "revision" that is not a text'
  for (const [path, file] of Object.entries(pin['files'])) {
    const isPinned = isMapping(file) && typeof file['sha256'] === 'string' && SHA256.test(file['sha256'])
    if (!isPinned || (file['executable'] ?? true) !== true) return `has no digest for ${JSON.stringify(path)}`
  }
  const { folder = 'skills' } = pin
  if (typeof folder !== 'string' || !isClientFolder(folder))
    return `is in ${JSON.stringify(folder)}, which is not a folder for skills`
  if ('scan' in pin && !isScan(pin['scan'])) return 'has a "scan" that is none'
  return 'also' in pin ? placesProblem(pin['also']) : undefined
}

function isScan(scan: unknown): boolean {
  if (!isMapping(scan)) return false
  const { scanner, version = '', verdict, findings } = scan
  return [scanner, version, verdict].every((text) => typeof text === 'string') && typeof findings === 'number'
}

function placesProblem(places: unknown): string | undefined {
  if (!Array.isArray(places)) return 'has an "also" that is not a list'
  const bad: unknown = places.find((folder) => typeof folder !== 'string' || !isClientFolder(folder))
  return bad === undefined
    ? undefined
    : `is to be in ${JSON.stringify(bad)}, which is not a folder of a client for skills`
}

const CLIENT_FOLDER = /^(?:\.?[A-Za-z\d][\w-]*\/){0,4}skills$/

/**
 * Whether a path may be a folder in which another client looks for skills: inside the project, and its last part is
 * `skills`. A lock comes with the project that it lies in, and must not choose where else something is written.
 */
export function isClientFolder(path: string): boolean {
  return CLIENT_FOLDER.test(path) && !/^\.git\//i.test(path) && !/(?:^|\/)node_modules\//i.test(path)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(path: string, line: number | undefined, reason: string): SkillError {
  const message = `${path} is not used, and stays as it is: ${reason}${line === undefined ? '' : ` (line ${line})`}. Correct it, or take an earlier one back.`
  return new SkillError('LOCK_INVALID', message, { path, line })
}
