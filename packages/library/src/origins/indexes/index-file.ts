import { refused } from '../failure.ts'

/** What an index says of a skill: one file or archive with a digest, or, in an index of old, a list of files. */
export type IndexEntry = ArtifactEntry | ListedEntry

/** A skill as one artifact. */
interface ArtifactEntry {
  readonly name: string
  readonly type: 'skill-md' | 'archive'
  readonly url: URL
  /** SHA-256, hex. */
  readonly sha256: string
}

/** A skill as files beside the index, below a folder of its name. */
interface ListedEntry {
  readonly name: string
  readonly type: 'files'
  readonly files: readonly { readonly path: string; readonly url: URL; readonly sha256?: string }[]
}

/** An index of skills. */
export interface SkillIndex {
  /** By name in code-unit order, each name once. */
  readonly entries: readonly IndexEntry[]
  /** Names of entries of a type that is not known: later versions may have more. */
  readonly skipped: readonly string[]
}

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const NAME = /^(?=.{1,64}$)[\da-z]+(?:-[\da-z]+)*$/
const DIGEST = /^sha256:([\da-f]{64})$/

/** The most entries of an index. */
const MAX_ENTRIES = 10_000

/** The most files that an index of old lists of a skill. */
const MAX_FILES = 1_000

/**
 * Reads an index of `.well-known/agent-skills`, version 0.2.0 or, without `$schema`, 0.1. Anything else in it refuses the
 * whole: half an index could leave out what replaces something.
 * @param base the final address after redirects, which the addresses in the file are relative to
 * @throws {SkillError} ORIGIN_REFUSED
 */
export function readIndex(origin: string, bytes: Uint8Array, base: URL): SkillIndex {
  const value = parsed(origin, bytes)
  const { $schema: schema, version, skills } = value
  if (schema !== undefined && schema !== SCHEMA) throw unknownVersion(origin, schema)
  if (
    schema === undefined &&
    version !== undefined &&
    !(typeof version === 'string' && /^0\.[12](?:\.|$)/.test(version))
  ) {
    throw unknownVersion(origin, version)
  }
  if (!Array.isArray(skills)) throw refused(origin, 'its index has no list `skills`.')
  if (skills.length > MAX_ENTRIES) {
    throw refused(origin, `its index has ${skills.length} entries, and ${MAX_ENTRIES} are the most.`)
  }
  const entries = new Map<string, IndexEntry>()
  const skipped: string[] = []
  for (const [index, each] of skills.entries()) {
    const entry = entryOf(origin, `skills[${index}]`, each as unknown, schema !== undefined, base)
    if (typeof entry === 'string') skipped.push(entry)
    else if (entries.has(entry.name)) throw bad(origin, `skills[${index}]`, `"${entry.name}" is there twice`)
    else entries.set(entry.name, entry)
  }
  return { entries: [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), skipped }
}

interface IndexFile {
  readonly $schema?: unknown
  readonly version?: unknown
  readonly skills?: unknown
}

function parsed(origin: string, bytes: Uint8Array): IndexFile {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below: what a parser says repeats what it has read.
  }
  throw refused(origin, 'its index is not a JSON object. If this is a repository, write git+ before the address.')
}

function entryOf(origin: string, at: string, value: unknown, isCurrent: boolean, base: URL): IndexEntry | string {
  if (typeof value !== 'object' || value === null) throw bad(origin, at, 'it is not an object')
  const { name, type, url, digest, files } = value as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw bad(origin, at, 'its name is not 1 to 64 lowercase letters, digits and single hyphens')
  }
  if (!isCurrent) return { name, type: 'files', files: filesOf(origin, at, name, files, base) }
  if (typeof type !== 'string') throw bad(origin, at, 'it has no type')
  if (type !== 'skill-md' && type !== 'archive') return name
  const [, sha256] = typeof digest === 'string' ? (DIGEST.exec(digest) ?? []) : []
  if (sha256 === undefined) throw bad(origin, at, 'its digest is not "sha256:" and 64 hexadecimal digits')
  const address = typeof url === 'string' ? URL.parse(url, base.href) : null
  if (address === null) throw bad(origin, at, 'its url is not an address')
  return { name, type, url: address, sha256 }
}

function filesOf(origin: string, at: string, name: string, value: unknown, base: URL): ListedEntry['files'] {
  if (!Array.isArray(value) || value.length === 0) throw bad(origin, at, 'it has no list `files`')
  if (value.length > MAX_FILES) throw bad(origin, at, `it has more than ${MAX_FILES} files`)
  const files = value.map((each: unknown) => {
    const { path, digest } = (typeof each === 'string' ? { path: each } : (each ?? {})) as Partial<
      Record<'path' | 'digest', unknown>
    >
    // As the format has it: nothing that an address would read as something else than a path.
    if (typeof path !== 'string' || !/^[\x21-\x7E][\x20-\x7E]*$/.test(path) || /[\\?#[\]%]/.test(path)) {
      throw bad(origin, at, 'a path in `files` is not one of printable characters without \\ ? # [ ] %')
    }
    const parts = path.split('/')
    if (parts.some((part) => part === '' || part === '.' || part === '..')) {
      throw bad(origin, at, `"${path}" is not a path inside the skill's folder`)
    }
    const [, sha256] = typeof digest === 'string' ? (DIGEST.exec(digest) ?? []) : []
    if (digest !== undefined && sha256 === undefined)
      throw bad(origin, at, `the digest of "${path}" is not one of SHA-256`)
    const url = new URL(`${name}/${parts.map((part) => encodeURIComponent(part)).join('/')}`, new URL('.', base))
    return { path, url, sha256 }
  })
  if (!files.some(({ path }) => path === 'SKILL.md')) throw bad(origin, at, 'its `files` have no SKILL.md')
  if (new Set(files.map(({ path }) => path)).size < files.length)
    throw bad(origin, at, 'a path in `files` is there twice')
  return files
}

function unknownVersion(origin: string, version: unknown): ReturnType<typeof refused> {
  const shown = JSON.stringify(version)?.slice(0, 200)
  return refused(origin, `its index is of the version ${shown}, which is not known here, so nothing of it is read.`)
}

function bad(origin: string, at: string, reason: string): ReturnType<typeof refused> {
  return refused(origin, `${at} of its index: ${reason}.`, at)
}
