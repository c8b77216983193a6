import { refused } from '../failure.ts'
import { parseJsonObject } from '../json-file.ts'

/** What an index says of a skill: one file or one archive, with its digest. */
export interface IndexEntry {
  readonly name: string
  readonly description?: string
  readonly type: 'skill-md' | 'archive'
  readonly url: URL
  /** `sha256:` and hex digits. */
  readonly digest: string
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
const DIGEST = /^sha256:[\da-f]{64}$/

/** What an address of a repository gives instead is often the page of a login. */
const INDEX = 'its index (if this is a repository, write git+ before the address)'

/**
 * Reads an index of `.well-known/agent-skills`, version 0.2.0. Anything else in it refuses the whole: half an index
 * could leave out what replaces something.
 * @param base the final address after redirects, which the addresses in the file are relative to
 * @throws {SkillError} ORIGIN_REFUSED
 */
export function readIndex(origin: string, bytes: Uint8Array, base: URL): SkillIndex {
  const { $schema: schema, skills } = parseJsonObject(origin, INDEX, bytes)
  if (schema !== SCHEMA) {
    const shown = typeof schema === 'string' ? JSON.stringify(schema.slice(0, 200)) : 'missing, as in version 0.1'
    const reason = `the $schema of its index is ${shown}, and only version 0.2.0, which has digests, is read. Ask its publisher.`
    throw refused(origin, reason)
  }
  if (!Array.isArray(skills)) throw refused(origin, 'its index has no list `skills`. Ask its publisher.')
  const entries = new Map<string, IndexEntry>()
  const skipped: string[] = []
  for (const [index, each] of skills.entries()) {
    const at = `skills[${index}]`
    const entry = entryOf(origin, at, each, base)
    if (typeof entry === 'string') skipped.push(entry)
    else if (entries.has(entry.name)) throw bad(origin, at, `"${entry.name}" is there twice`)
    else entries.set(entry.name, entry)
  }
  return { entries: [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), skipped }
}

function entryOf(origin: string, at: string, value: unknown, base: URL): IndexEntry | string {
  const { name, description, type, url, digest } = Object(value) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw bad(origin, at, 'its name is not 1 to 64 lowercase letters, digits and single hyphens')
  }
  if (typeof type !== 'string') throw bad(origin, at, 'it has no type')
  if (type !== 'skill-md' && type !== 'archive') return name
  if (typeof digest !== 'string' || !DIGEST.test(digest)) {
    throw bad(origin, at, 'its digest is not "sha256:" and 64 hexadecimal digits')
  }
  const address = typeof url === 'string' ? URL.parse(url, base.href) : null
  if (address === null) throw bad(origin, at, 'its url is not an address')
  return { name, type, url: address, digest, ...(typeof description === 'string' && { description }) }
}

function bad(origin: string, at: string, reason: string): ReturnType<typeof refused> {
  return refused(origin, `${at} of its index: ${reason}. Ask its publisher.`, at)
}
