import { SkillError } from '@repertoire/core'
import type { FolderEntry } from '@repertoire/core'
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
}

/** The shape of the text, so that a later one is not taken for it. */
const SHAPE = 1

/** The text of a head: one line of JSON, with the files in the order of their paths. */
export function headText(version: string, files: Iterable<HeadFile>): string {
  const lines = [...files]
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, hash, size, executable }) => [path, hash, size, executable ? 1 : 0])
  return JSON.stringify({ shape: SHAPE, version, files: lines })
}

/** Reads a head, or says why it is none. Others can write to the engine too: its paths are judged as those of a writer. */
export function headOrError(name: string, { text }: StoredHead): Head | SkillError {
  const files = filesOf(text)
  if (files === undefined) return broken(name)
  try {
    checkSkillPaths(
      name,
      files.map(({ path, size }) => [path, size]),
    )
    return { files: new Map(files.map((file) => [file.path, file])) }
  } catch (error) {
    return broken(name, error)
  }
}

function filesOf(text: string): readonly HeadFile[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('shape' in value) || value.shape !== SHAPE) return undefined
  if (!('files' in value) || !Array.isArray(value.files)) return undefined
  const files = value.files.map(fileOf)
  return files.every((file) => file !== undefined) ? files : undefined
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
