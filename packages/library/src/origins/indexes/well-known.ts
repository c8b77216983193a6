import { createHash } from 'node:crypto'
import { SkillError, type Diagnostic } from '@repertoire/core'
import { nearestNames, storedSkillName } from '@repertoire/core/stores'
import { withDeadline } from '../deadline.ts'
import { refused, unreachable } from '../failure.ts'
import { judgeTree } from '../judge.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import { checkFetchOptions, type OriginOptions } from '../options.ts'
import type { FetchedSkill, Origin, ResolvedOrigin } from '../origin.ts'
import { downloadIfThere } from '../web/download.ts'
import { receive } from './artifact.ts'
import { type IndexEntry, readIndex, type SkillIndex } from './index-file.ts'

/** The largest index. */
const MAX_INDEX_BYTES = 8 * 1024 * 1024

/** The maximum number of skills that are fetched if the caller names none. */
const MAX_AT_ONCE = 1_000

/** Where an index is, and then where one of old is. */
const PLACES = ['.well-known/agent-skills/index.json', '.well-known/skills/index.json']

/**
 * Resolves a site to the index of its skills, which is looked for below the address and then at the top of the site. The
 * revision is the digest of all that the index says, so that what is fetched later is what it says now, and each skill has its
 * own; an index of version 0.1 has no digests, and no revision. Where `revision` is wanted, it is the index's or that of the
 * skills that are fetched.
 * @throws {SkillError} ORIGIN_UNREACHABLE: it has none; ORIGIN_REFUSED: one that is not known here, or is malformed
 */
export async function resolveSite(site: URL, options: OriginOptions): Promise<Origin> {
  const source = site.href
  const index = await withDeadline(source, options, [options.signal], (signal) =>
    findIndex(source, site, { ...options, signal, maxBytes: MAX_INDEX_BYTES }),
  )
  const revision = indexRevision(index)
  const resolved: ResolvedOrigin = {
    source,
    sourceType: 'well-known',
    sourceUrl: source,
    revision,
  }
  options.onProgress?.({ kind: 'resolved' })
  return {
    resolved,
    async fetch(wanted = {}) {
      checkFetchOptions(wanted)
      return withDeadline(source, options, [options.signal, wanted.signal], async (signal) => {
        const entries = chosen(source, index, wanted.skills)
        if (options.revision !== undefined && options.revision !== revision) {
          for (const entry of entries) checkRevision(source, entry, options.revision)
        }
        const skills: FetchedSkill[] = []
        const diagnostics: Diagnostic[] = skippedTypes(source, index, wanted.skills)
        let left = options.maxBytes ?? MAX_ORIGIN_BYTES
        for (const entry of entries) {
          const { onProgress = options.onProgress } = wanted
          const progress = onProgress === undefined ? {} : { onProgress }
          const tree = await receive(source, entry, { ...options, ...progress, signal, maxBytes: left })
          const fetched = await judgeTree(resolved, tree, { skills: [entry.name], signal, ...progress })
          for (const { files } of fetched.skills) for (const { bytes } of files.values()) left -= bytes.length
          const own = revisionOf(entry)
          skills.push(...fetched.skills.map((skill) => ({ ...skill, ...(own !== undefined && { revision: own }) })))
          diagnostics.push(...fetched.diagnostics, ...unverified(source, entry))
        }
        return { origin: resolved, skills, diagnostics }
      })
    },
    list: async () => index.entries.map(({ name }) => ({ name, path: source })),
  }
}

async function findIndex(
  source: string,
  site: URL,
  options: Parameters<typeof downloadIfThere>[2],
): Promise<SkillIndex> {
  for (const address of addressesOf(site)) {
    const found = await downloadIfThere(source, address, options)
    if (found !== undefined) return readIndex(source, found.bytes, found.url)
  }
  const reason = `it has no index at ${PLACES[0]}. If it is a repository, write git+${site.href}; otherwise name an archive or a SKILL.md.`
  throw unreachable(source, reason)
}

function addressesOf(site: URL): readonly URL[] {
  if (PLACES.some((place) => site.pathname.endsWith(`/${place}`))) return [site]
  const below = new URL(site)
  below.search = ''
  if (!below.pathname.endsWith('/')) below.pathname += '/'
  const found = PLACES.flatMap((place) => [new URL(place, below), new URL(`/${place}`, below)])
  return [...new Map(found.map((url) => [url.href, url])).values()]
}

/** The digest over all digests of an index; undefined if the index does not give them all. */
function indexRevision({ entries }: SkillIndex): string | undefined {
  const lines = entries.map((entry) => [entry.name, entry.type, revisionOf(entry)])
  return lines.some(([, , revision]) => revision === undefined) ? undefined : digestOf(JSON.stringify(lines))
}

/** What an index says of one skill: the digest of its artifact, or that of the list of its files. */
function revisionOf(entry: IndexEntry): string | undefined {
  if (entry.type !== 'files') return `sha256:${entry.sha256}`
  if (entry.files.some(({ sha256 }) => sha256 === undefined)) return undefined
  return digestOf(JSON.stringify(entry.files.map(({ path, sha256 }) => [path, sha256])))
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** @throws {SkillError} ORIGIN_REFUSED: the index has another one now */
function checkRevision(source: string, entry: IndexEntry, wanted: string): void {
  const found = revisionOf(entry)
  if (found === wanted) return
  const reason = `"${entry.name}" is ${found ?? 'without a digest'} in its index, and ${wanted} is wanted. Ask why it has changed.`
  throw refused(source, reason)
}

function chosen(
  source: string,
  { entries, skipped }: SkillIndex,
  wanted: readonly string[] | undefined,
): readonly IndexEntry[] {
  if (wanted === undefined) {
    if (entries.length <= MAX_AT_ONCE) return entries
    throw refused(source, `its index has ${entries.length} skills. Name those that are wanted, at most ${MAX_AT_ONCE}.`)
  }
  const names = entries.map(({ name }) => name)
  const stored = wanted.map(storedSkillName)
  for (const [index, name] of wanted.entries()) {
    if (names.includes(stored[index]!)) continue
    if (skipped.includes(stored[index]!)) throw refused(source, `"${name}" is of a type that is not known here.`)
    const nearest = nearestNames(name, names)
    const some = nearest.length > 0 ? nearest : names.slice(0, 5)
    throw new SkillError('SKILL_NOT_FOUND', `${source} has no skill "${name}". It has ${some.join(', ')}.`, { nearest })
  }
  return entries.filter(({ name }) => stored.includes(name))
}

function skippedTypes(source: string, { skipped }: SkillIndex, wanted: readonly string[] | undefined): Diagnostic[] {
  if (wanted !== undefined) return []
  return skipped.map((name) => ({
    code: 'ENTRY_REFUSED',
    severity: 'warning',
    path: source,
    message: `"${name}" in the index of ${source} is of a type that is not known here, and is left out.`,
    hint: 'A later version may know it.',
  }))
}

function unverified(source: string, entry: IndexEntry): Diagnostic[] {
  if (entry.type !== 'files' || entry.files.every(({ sha256 }) => sha256 !== undefined)) return []
  return [
    {
      code: 'CONTENT_UNVERIFIABLE',
      severity: 'warning',
      path: source,
      message: `The index of ${source} has no digests of "${entry.name}", so that its files were compared with nothing.`,
      hint: 'Look at it before you use it. Its publisher can write an index of version 0.2.0.',
    },
  ]
}
