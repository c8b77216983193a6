import { either, functionOf, type OptionKind, withMethods } from '@repertoire/core/options'
import { isSkillError, SkillError } from '@repertoire/core'
import { inTime } from '@repertoire/core/stores'
import type { Client, RequestOptions } from '@modelcontextprotocol/client'
import type { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { type RefusedEntry, type RemoteSkill, toRemoteSkill } from './remote-skill.ts'

/** A connected client of `@modelcontextprotocol/client`, or what connects one when it is first needed. */
export type McpConnection = Client | (() => Promise<Client>)

/** The most characters of a frontmatter that is compared: a catalog reads no longer one. */
const MAX_CHARS = 32 * 1024

const GRACE_MS = 1_000

/** The kind of option that is a connection. */
export const clientKind: OptionKind = either(
  withMethods('a connected client of @modelcontextprotocol/client', 'request', 'callTool'),
  functionOf('a function that returns one'),
)

/** The skills of one server. */
export interface RemoteSkills {
  /**
   * Asks for all entries, by URI in code-unit order, and for none of their files.
   * @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED (no skills are served), TIMED_OUT
   */
  list(): Promise<{ readonly skills: readonly RemoteSkill[]; readonly refused: readonly RefusedEntry[] }>
  /**
   * Reads one file, and compares it with its entry: its size, its digest, and of SKILL.md the frontmatter too.
   * @param path as listed
   * @throws {SkillError} RESOURCE_NOT_FOUND, RESOURCE_REFUSED (it is not what is listed), TIMED_OUT
   */
  read(skill: RemoteSkill, path: string): Promise<Uint8Array>
}

/**
 * @param label how the host calls the server
 * @param timeout for each request, in milliseconds
 */
export function openRemoteSkills(connection: McpConnection, label: string, timeout: number): RemoteSkills {
  /** What was verified once is not fetched again while its entry is in use. */
  const verified = new WeakMap<RemoteSkill, Map<string, Uint8Array>>()
  let opening: Promise<SkillsClient> | undefined
  const open = (): Promise<SkillsClient> => {
    opening ??= connect(connection).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return inTime(opening, timeout, `The server ${label}`)
  }
  const request = async <T>(ask: (skills: SkillsClient, options: RequestOptions) => Promise<T>): Promise<T> => {
    const skills = await open()
    // The SDK takes its request back a little later, so that the error is the same for whatever takes too long.
    const end = timeout + GRACE_MS
    return inTime(ask(skills, { timeout: end, maxTotalTimeout: end }), timeout, `The server ${label}`)
  }
  return {
    async list() {
      try {
        return await request(async (skills, options) => {
          if (!skills.supported) throw servesNone(label)
          const { skills: entries, invalid } = await skills.list({}, options)
          const read = entries.map(toRemoteSkill)
          const listed = read.filter((entry) => 'entry' in entry)
          const refused = [...read.filter((entry) => 'reason' in entry), ...invalid]
          return { skills: listed.toSorted((a, b) => (a.entry.uri < b.entry.uri ? -1 : 1)), refused }
        })
      } catch (error) {
        throw explained(label, error)
      }
    },
    async read(skill, path) {
      const listed = skill.files.get(path)
      if (listed === undefined) throw notListed(label, skill, path)
      const known = verified.get(skill) ?? new Map<string, Uint8Array>()
      const cached = known.get(path)
      // A reader may change what it is given.
      if (cached !== undefined) return cached.slice()
      try {
        const { bytes } = await request((skills, options) => skills.read(skill.entry, listed.uri, options))
        verified.set(skill, known.set(path, bytes.slice()))
        return bytes
      } catch (error) {
        throw explained(label, error, { skill, path })
      }
    },
  }
}

async function connect(connection: McpConnection): Promise<SkillsClient> {
  const { SkillsClient } = await import('@modelcontextprotocol/client/ext/skills')
  const { load } = await import('js-yaml')
  const client = typeof connection === 'function' ? await connection() : connection
  /** For the comparison with a server's entry, as YAML 1.2 without aliases. */
  const parseFrontmatter = (yaml: string): Record<string, unknown> => {
    if (yaml.length > MAX_CHARS) throw new Error(`it has more than ${MAX_CHARS} characters`)
    const value: unknown = load(yaml, { maxAliases: 0 })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a mapping')
    return value as Record<string, unknown>
  }
  return new SkillsClient(client, { parseFrontmatter, skipInvalid: true })
}

function servesNone(label: string): SkillError {
  const message = `The server ${label} does not declare the extension io.modelcontextprotocol/skills, so it serves no skills.`
  return new SkillError('ORIGIN_REFUSED', `${message} Connect the client first, and check the server's address.`)
}

function notListed(label: string, { entry }: RemoteSkill, path: string): SkillError {
  const message = `There is no file ${JSON.stringify(path)} in ${entry.uri} of the server ${label}.`
  return new SkillError('RESOURCE_NOT_FOUND', message, { path: entry.uri })
}

/** Returns what to tell of an error of the SDK. @param file that was read; absent: the list was */
function explained(
  label: string,
  error: unknown,
  file?: { readonly skill: RemoteSkill; readonly path: string },
): SkillError {
  if (isSkillError(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  if (file === undefined) {
    const message = `The server ${label} did not list its skills: ${said}`
    return new SkillError('ORIGIN_UNREACHABLE', message, { cause: error })
  }
  const { uri } = file.skill.entry
  const message = `${JSON.stringify(file.path)} in ${uri} of the server ${label} was not read: ${said}. Reload to get the current list.`
  return new SkillError('RESOURCE_REFUSED', message, { path: uri, cause: error })
}
