import { SkillError, type FolderEntry } from '@repertoire/core'
import { checkSkillPaths } from '@repertoire/core/stores'
import type { StoredHead } from '../engine.ts'

/** A file of a stored skill. Its bytes are a blob. */
export interface HeadFile extends FolderEntry {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
}

/** What is stored of a skill: which files it has. */
export interface Head {
  readonly files: ReadonlyMap<string, HeadFile>
  /** Where the skill comes from. Absent: it is local. */
  readonly origin?: string
  /** The versions of the writes that made it, the newest first: its own, and a few before it without a gap. */
  readonly writes: readonly string[]
}

/** So many writes are kept in a head: whoever did not get the answer to one finds it there, unless more have come since. */
const MAX_WRITES = 8

/** The shape of the text, so that a later one is not taken for it. */
const SHAPE = 1

/** A head that replaces another one. */
export function nextHead(
  version: string,
  files: Iterable<HeadFile>,
  replaced: Head | undefined,
  origin?: string,
): Head {
  const writes = [version, ...(replaced?.writes ?? [])].slice(0, MAX_WRITES)
  return {
    files: new Map([...files].map((file) => [file.path, file])),
    writes,
    origin,
  }
}

/** The text of a head: one line of JSON, with the files in the order of their paths. */
export function headText({ files, origin, writes: [version, ...before] }: Head): string {
  const lines = [...files.values()]
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, hash, size, executable }) => [path, hash, size, executable ? 1 : 0])
  return JSON.stringify({ shape: SHAPE, version, before: before.join(' '), origin, files: lines })
}

/** Reads a head, or says why it is none. Others can write to the engine too: its paths are judged as those of a writer. */
export function headOrError(name: string, { text }: StoredHead): Head | SkillError {
  const value = valueOf(text)
  const files = filesOf(value)
  if (files === undefined) return broken(name)
  try {
    checkSkillPaths(
      name,
      files.map(({ path, size }) => [path, size]),
    )
    return {
      files: new Map(files.map((file) => [file.path, file])),
      writes: writesOf(value),
      ...(typeof value.origin === 'string' && { origin: value.origin }),
    }
  } catch (error) {
    return broken(name, error)
  }
}

function valueOf(text: string): HeadValue {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'shape' in value && value.shape === SHAPE ? value : {}
  } catch {
    return {}
  }
}

interface HeadValue {
  readonly shape?: unknown
  readonly version?: unknown
  readonly before?: unknown
  readonly files?: unknown
  readonly origin?: unknown
}

function filesOf(value: HeadValue): readonly HeadFile[] | undefined {
  if (!Array.isArray(value.files)) return undefined
  const files = value.files.map(fileOf)
  return files.every((file) => file !== undefined) ? files : undefined
}

function writesOf({ version, before }: HeadValue): readonly string[] {
  if (typeof version !== 'string') return []
  return typeof before === 'string' && before !== '' ? [version, ...before.split(' ')] : [version]
}

function fileOf(line: unknown): HeadFile | undefined {
  if (!Array.isArray(line)) return undefined
  const [path, hash, size, executable] = line as readonly unknown[]
  if (typeof path !== 'string' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  return { path, hash, size, executable: executable === 1 }
}

function broken(name: string, cause?: unknown): SkillError {
  const message = `What is stored of the skill "${name}" is not what a store of this version writes. Use a version that knows it, or delete the skill and save it again.`
  return new SkillError('SKILL_BROKEN', message, { cause })
}

/** The blobs that the text of a head refers to: every hash that stands in it as a string of JSON. */
export function referencesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash))]
}
