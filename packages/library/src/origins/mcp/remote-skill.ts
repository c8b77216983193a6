import { isSkillError, SkillError } from '@repertoire/core'
import { checkResource } from '@repertoire/core/stores'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'

/** What a skill of a server may be at most (SEP-2640): every host loads up to this, and none has to load more. */
export const MAX_REMOTE_FILES = 512

/** In bytes, all files of a skill together. */
export const MAX_REMOTE_BYTES = 16 * 1024 * 1024

/** A file of a skill as its server lists it. */
interface RemoteFile {
  readonly uri: string
  /** SHA-256, hex. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
}

/** A skill as its server lists it. Nothing of its files was read. */
export interface RemoteSkill {
  readonly entry: Skill
  readonly name: string
  /** The URI of its folder, with no slash at its end. */
  readonly root: string
  /** By path. */
  readonly files: ReadonlyMap<string, RemoteFile>
}

/** An entry that is not a skill that can be loaded. */
export interface RefusedEntry {
  /** Absent where the entry does not say it. */
  readonly uri?: string
  readonly reason: string
}

const MANIFEST = '/SKILL.md'

/** Reads an entry that is valid by the extension. Its paths are judged as those of any other skill. */
export function toRemoteSkill(entry: Skill): RemoteSkill | RefusedEntry {
  const { uri, frontmatter, resources } = entry
  const root = new URL(uri).href.slice(0, -MANIFEST.length)
  const skill = { entry, name: frontmatter.name, root }
  if (resources === 'dynamic') {
    return { uri, reason: 'its content is generated, without digests, so that nobody can know what they agree to' }
  }
  const total = resources.reduce((sum, { size }) => sum + size, 0)
  if (resources.length > MAX_REMOTE_FILES || total > MAX_REMOTE_BYTES) {
    const most = `${MAX_REMOTE_FILES} files and ${MAX_REMOTE_BYTES} bytes are the most`
    return { uri, reason: `it lists ${resources.length} files of ${total} bytes, and ${most}` }
  }
  const files = new Map<string, RemoteFile>()
  try {
    for (const { uri: fileUri, digest, size } of resources) {
      files.set(pathOf(skill, fileUri), {
        uri: fileUri,
        sha256: digest.slice('sha256:'.length),
        size,
      })
    }
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { uri, reason: error.message }
  }
  return { ...skill, files }
}

const NO_BYTES = new Uint8Array()

/**
 * Returns the path of a file below its skill's folder.
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED: as of any file that is to be stored
 */
function pathOf({ name, root }: Pick<RemoteSkill, 'name' | 'root'>, uri: string): string {
  return checkResource(name, pathBelow(root, uri), { bytes: NO_BYTES }, true).join('/')
}

/** The part of a file's URI below its skill's folder, without percent-encoding. */
function pathBelow(root: string, uri: string): string {
  const encoded = new URL(uri).href.slice(root.length + 1)
  try {
    return decodeURIComponent(encoded)
  } catch {
    const message = `"${encoded}" is not the path of a file: its percent-encoding is not UTF-8.`
    throw new SkillError('RESOURCE_PATH_INVALID', message, { path: uri })
  }
}

/**
 * Writes the frontmatter of an entry as a SKILL.md without a body, so that a catalog reads it as it reads any other:
 * the file itself is fetched when the skill is used, and refused where its frontmatter is not this one.
 */
export function manifestOf({ entry }: RemoteSkill): Uint8Array {
  const lines = Object.entries(entry.frontmatter)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
  return new TextEncoder().encode(`---\n${lines.join('')}---\n`)
}

const PLAIN_KEY = /^[a-z][\w-]*$/i
