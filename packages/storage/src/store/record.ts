import { isSkillError, SkillError, type FolderEntry } from '@repertoire/core'
import { checkSkillPaths } from '@repertoire/core/stores'

/** A file of a stored skill. Its bytes are a file of the engine. */
export interface SkillFile extends FolderEntry {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
}

/** What is stored of a skill: which files it has. */
export interface StoredFiles {
  readonly files: ReadonlyMap<string, SkillFile>
  /** Where the skill comes from. Absent: it is local. */
  readonly origin?: string | undefined
}

/** A file that holds the beginnings of many manifests. */
export interface PackFile {
  readonly hash: string
  readonly size: number
}

/** All skills of a tenant, which are one record. */
export interface TenantSkills {
  /** By name. One that cannot be read is the error that it gives. */
  readonly skills: ReadonlyMap<string, StoredFiles | SkillError>
  /** The newest writes that made it, the newest first, without a gap. */
  readonly writes: readonly string[]
  readonly pack?: PackFile | undefined
}

/** So many writes are kept: whoever did not get the answer to one finds it here, unless more have come since. */
export const MAX_WRITES = 16

/** The shape of the text, so that a later one is not taken for it. */
const SHAPE = 1

/** The texts of skills that have not changed: a save among a thousand skills makes one text anew. */
const texts = new WeakMap<StoredFiles, string>()

/** The text of a record. A skill that could not be read stays one that cannot. */
export function recordText({ skills, writes, pack }: TenantSkills): string {
  const lines = [...skills].map(([name, skill]) => {
    if (isSkillError(skill)) return JSON.stringify([name, null])
    const text = texts.get(skill) ?? JSON.stringify([name, [...skill.files.values()].map(lineOf), skill.origin])
    texts.set(skill, text)
    return text
  })
  const head = JSON.stringify({ shape: SHAPE, writes, pack: pack && [pack.hash, pack.size] })
  return `${head.slice(0, -1)},"skills":[${lines.join(',')}]}`
}

function lineOf({ path, hash, size, executable }: SkillFile): readonly unknown[] {
  return executable ? [path, hash, size, 1] : [path, hash, size]
}

/**
 * Reads a record. Others can write to the engine too: its paths are judged as those of a writer.
 * @throws {SkillError} STORAGE_UNSUITABLE: no store of this version wrote it
 */
export function readRecord(id: string, text: string | undefined): TenantSkills {
  if (text === undefined) return { skills: new Map(), writes: [] }
  const value = valueOf(text)
  const { skills, writes, pack } = value
  if (value.shape !== SHAPE || !Array.isArray(skills) || !Array.isArray(writes)) {
    const message = `What is stored of ${id} is not what a store of this version writes. Update this program, or remove the tenant and save its skills again.`
    throw new SkillError('STORAGE_UNSUITABLE', message)
  }
  const [hash, size] = Array.isArray(pack) ? (pack as readonly unknown[]) : []
  return {
    skills: new Map(skills.flatMap((line) => (Array.isArray(line) ? [skillOf(line as readonly unknown[])] : []))),
    writes: writes.filter((each) => typeof each === 'string'),
    pack: typeof hash === 'string' && typeof size === 'number' ? { hash, size } : undefined,
  }
}

function valueOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

function skillOf([given, lines, origin]: readonly unknown[]): readonly [string, StoredFiles | SkillError] {
  const name = String(given)
  const files = Array.isArray(lines) ? lines.map(fileOf) : [undefined]
  try {
    if (!files.every((file) => file !== undefined)) return [name, broken(name)]
    checkSkillPaths(
      name,
      files.map(({ path, size }) => [path, size]),
    )
    const origins = typeof origin === 'string' ? { origin } : {}
    return [name, { files: new Map(files.map((file) => [file.path, file])), ...origins }]
  } catch (error) {
    return [name, broken(name, error)]
  }
}

function fileOf(line: unknown): SkillFile | undefined {
  const [path, hash, size, executable] = Array.isArray(line) ? (line as readonly unknown[]) : []
  if (typeof path !== 'string' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  return { path, hash, size, executable: executable === 1 }
}

function broken(name: string, cause?: unknown): SkillError {
  const message = `What is stored of the skill "${name}" is not what a store of this version writes. Use a version that knows it, or delete the skill and save it again.`
  return new SkillError('SKILL_BROKEN', message, { cause })
}
