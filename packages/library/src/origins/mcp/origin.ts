import {
  checkOptions,
  required,
  signal as signalKind,
  text,
  timeLimit,
  type OptionTable,
  withDefault,
} from '@repertoire/core/options'
import { createHash } from 'node:crypto'
import { SkillError, type StoredFile } from '@repertoire/core'
import { checkSkillFiles, nearestNames, storedSkillName } from '@repertoire/core/stores'
import { checkFetchOptions } from '../options.ts'
import type { FetchedSkill, FetchOptions, Origin, ResolvedOrigin } from '../origin.ts'
import type { RemoteSkill } from './remote-skill.ts'
import {
  clientKind,
  type McpConnection,
  openRemoteSkills,
  type RemoteListing,
  type RemoteSkills,
} from './remote-skills.ts'
import { checkLabel } from './source.ts'

/** Options of `openMcpOrigin`. */
export interface McpOriginOptions {
  readonly client: McpConnection
  /** The host's name for the server, as of `mcpSource`. */
  readonly label: string
  /** The address of the server without credentials, as the lock file keeps it. Absent if the host starts the server itself. */
  readonly url?: string | undefined
  /** For each request, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 30_000

const OPTIONS: OptionTable<McpOriginOptions> = {
  client: required(clientKind),
  label: required(text),
  url: text,
  timeout: withDefault(TIMEOUT_MS, timeLimit),
  signal: signalKind,
}

/** Files that are asked for at once. */
const MAX_READS = 4

/**
 * Resolves the skills of a server that speaks Skills over MCP, to be imported. The revision is the digest of all that the
 * server lists, files included, so that what is fetched later is what was listed now.
 * @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED (it serves no skills), TIMED_OUT
 */
export async function openMcpOrigin(options: McpOriginOptions): Promise<Origin> {
  checkOptions('openMcpOrigin', OPTIONS, options)
  const { client, label, url, timeout = TIMEOUT_MS, signal } = options
  checkLabel(label)
  const remote = openRemoteSkills(client, label, timeout)
  const listing = await remote.list(signal)
  const place = { source: url ?? `mcp:${label}`, sourceUrl: url }
  return listedOrigin(place, label, listing, (work) => work(remote))
}

/**
 * Returns the origin of what a server has listed.
 * @param use opens the server for some work
 * @param wanted the revision that a lock has: that of the whole list, or of each skill that is fetched
 */
export function listedOrigin(
  place: Pick<ResolvedOrigin, 'source' | 'sourceUrl'>,
  label: string,
  listing: RemoteListing,
  use: <T>(work: (remote: RemoteSkills) => Promise<T>, signal?: AbortSignal) => Promise<T>,
  wanted?: string,
): Origin {
  const resolved = { ...place, sourceType: 'mcp', revision: revisionOf(listing.skills) }
  return {
    resolved,
    async fetch(options = {}) {
      checkFetchOptions(options)
      options.onProgress?.({ kind: 'resolved' })
      const asked = chosen(label, listing, options)
      const other = asked.find((skill) => wanted !== undefined && revisionOf([skill]) !== wanted)
      if (other !== undefined && resolved.revision !== wanted) {
        throw refusal(label, other.entry.uri, `its revision is ${revisionOf([other])}, and ${wanted ?? ''} is wanted`)
      }
      const skills = await use(async (remote) => {
        const fetched: FetchedSkill[] = []
        for (const skill of asked) fetched.push(await fetchSkill(skill, remote, label, place, options))
        return fetched
      }, options.signal)
      return { origin: resolved, skills, diagnostics: [] }
    },
    list: async () => [
      ...listing.skills.map(({ name, entry }) => ({ name, path: entry.uri })),
      ...listing.refused.map(({ uri = '', reason }) => ({ name: uri, path: uri, problem: reason })),
    ],
  }
}

function revisionOf(skills: readonly RemoteSkill[]): string {
  const hash = createHash('sha256')
  for (const { entry, files } of skills) {
    const paths = [...files.keys()].toSorted((a, b) => (a < b ? -1 : 1))
    const listed = paths.map((path) => [path, files.get(path)?.sha256])
    hash.update(`${JSON.stringify([entry.uri, listed])}\n`)
  }
  return `sha256:${hash.digest('hex')}`
}

/** Returns the skills that are asked for, by name. One that cannot be imported refuses all. */
function chosen(label: string, { skills, refused }: RemoteListing, { skills: asked }: FetchOptions): RemoteSkill[] {
  const known = skills.map(({ name }) => name)
  const stored = new Set(asked?.map(storedSkillName))
  for (const name of asked ?? []) {
    if (known.some((each) => storedSkillName(each) === storedSkillName(name))) continue
    const nearest = nearestNames(name, known)
    const message = `The server ${label} lists no skill "${name}" that can be loaded.`
    throw new SkillError('SKILL_NOT_FOUND', message, { nearest })
  }
  const [first] = refused
  if (asked === undefined && first !== undefined) {
    throw refusal(label, first.uri ?? 'an entry without a URI', first.reason)
  }
  const wanted = skills.filter(({ name }) => asked === undefined || stored.has(storedSkillName(name)))
  for (const { name, entry } of wanted) {
    const twin = wanted.find((other) => other.name === name && other.entry !== entry)
    if (twin !== undefined) throw refusal(label, entry.uri, `${twin.entry.uri} has the same name`)
  }
  return wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function refusal(label: string, uri: string, reason: string): SkillError {
  const message = `The server ${label} lists ${uri}, which is not imported: ${reason}. Name the skills that are wanted.`
  return new SkillError('ORIGIN_REFUSED', message, { path: uri })
}

async function fetchSkill(
  skill: RemoteSkill,
  remote: RemoteSkills,
  label: string,
  place: Pick<ResolvedOrigin, 'source' | 'sourceUrl'>,
  { signal, onProgress }: FetchOptions,
): Promise<FetchedSkill> {
  const paths = [...skill.files.keys()]
  const files = new Map<string, StoredFile>()
  for (let from = 0; from < paths.length; from += MAX_READS) {
    const some = paths.slice(from, from + MAX_READS)
    const bytes = await Promise.all(some.map((path) => remote.read(skill, path, signal)))
    for (const [index, path] of some.entries()) files.set(path, { bytes: bytes[index]! })
    onProgress?.({ kind: 'received', count: files.size, total: paths.length })
  }
  await checkSkillFiles(skill.name, files)
  onProgress?.({ kind: 'judged', count: files.size })
  const path = `mcp:${label}/${skill.entry.uri}`
  return { name: skill.name, path, origin: place.sourceUrl ?? place.source, revision: revisionOf([skill]), files }
}
