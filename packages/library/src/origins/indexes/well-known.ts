import type { Diagnostic } from '@repertoire/core'
import { storedSkillName } from '@repertoire/core/stores'
import { digestOf } from '../archive/origin.ts'
import { readArchive } from '../archive/read.ts'
import { withDeadline } from '../deadline.ts'
import { refused, unreachable } from '../failure.ts'
import { judgeTree, notFound } from '../judge.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import { checkFetchOptions, type OriginOptions } from '../options.ts'
import type { FetchedSkill, Origin, ResolvedOrigin } from '../origin.ts'
import { documentTree, type OriginTree } from '../tree.ts'
import { download, downloadIfThere, type DownloadOptions } from '../web/download.ts'
import { type IndexEntry, readIndex, type SkillIndex } from './index-file.ts'

/** The largest index. */
const MAX_INDEX_BYTES = 8 * 1024 * 1024

const PLACE = '.well-known/agent-skills/index.json'

/**
 * Resolves a site to the index of its skills, which is looked for below the address and then at the top of the site.
 * The revision is the digest of all that the index says, so that what is fetched later is what it says now, and each
 * skill has its own. Where `revision` is wanted, it is the index's or that of the skills that are fetched.
 * @throws {SkillError} ORIGIN_UNREACHABLE: it has none; ORIGIN_REFUSED: one that is not known here, or is malformed
 */
export async function resolveSite(site: URL, options: OriginOptions): Promise<Origin> {
  const source = site.href
  const index = await withDeadline(source, options, [options.signal], (signal) =>
    findIndex(source, site, { ...options, signal, maxBytes: MAX_INDEX_BYTES }),
  )
  const lines = index.entries.map(({ name, type, digest }) => [name, type, digest])
  const revision = digestOf(Buffer.from(JSON.stringify(lines)))
  const resolved: ResolvedOrigin = { source, sourceType: 'well-known', sourceUrl: source, revision }
  options.onProgress?.({ kind: 'resolved' })
  return {
    resolved,
    async fetch(wanted = {}) {
      checkFetchOptions(wanted)
      const { skills: names, onProgress = options.onProgress } = wanted
      return withDeadline(source, options, [options.signal, wanted.signal], async (signal) => {
        const entries = chosen(source, index, names)
        const other = entries.find(({ digest }) => ![undefined, revision, digest].includes(options.revision))
        if (other !== undefined) {
          const reason = `"${other.name}" is ${other.digest} in its index, and ${options.revision} is wanted. Ask why it has changed.`
          throw refused(source, reason)
        }
        const skills: FetchedSkill[] = []
        const diagnostics: Diagnostic[] = names === undefined ? skippedTypes(source, index) : []
        let maxBytes = options.maxBytes ?? MAX_ORIGIN_BYTES
        for (const entry of entries) {
          const tree = await receive(source, entry, { ...options, onProgress, signal, maxBytes })
          const fetched = await judgeTree(resolved, tree, { skills: [entry.name], signal, onProgress })
          for (const skill of fetched.skills) {
            skills.push({ ...skill, revision: entry.digest })
            for (const { bytes } of skill.files.values()) maxBytes -= bytes.length
          }
          diagnostics.push(...fetched.diagnostics)
        }
        return { origin: resolved, skills, diagnostics }
      })
    },
    list: async () => index.entries.map(({ name, description }) => ({ name, description, path: source })),
  }
}

async function findIndex(source: string, site: URL, options: DownloadOptions): Promise<SkillIndex> {
  const below = new URL(site)
  below.search = ''
  if (!below.pathname.endsWith('/')) below.pathname += '/'
  const isIndex = site.pathname.endsWith('/index.json')
  const addresses = isIndex ? [site.href] : [new URL(PLACE, below).href, new URL(`/${PLACE}`, below).href]
  for (const address of new Set(addresses)) {
    const found = await downloadIfThere(source, new URL(address), options)
    if (found !== undefined) return readIndex(source, found.bytes, found.url)
  }
  const reason = `it has no index at ${PLACE}. If it is a repository, write git+${site.href}; otherwise name an archive or a SKILL.md.`
  throw unreachable(source, reason)
}

/**
 * Receives what an index says of a skill. The digest is compared before anything else is done with the bytes.
 */
async function receive(source: string, entry: IndexEntry, options: DownloadOptions): Promise<OriginTree> {
  const { name, type, url, digest } = entry
  const { bytes } = await download(source, url, options)
  const found = digestOf(bytes)
  if (found !== digest) {
    throw refused(source, `"${name}" has the digest ${found}, and its index says ${digest}. Ask its publisher.`, name)
  }
  if (type === 'skill-md') return documentTree(bytes)
  const tree = await readArchive(source, bytes, options.maxBytes ?? MAX_ORIGIN_BYTES)
  if (tree.entries.some(({ path }) => path === 'SKILL.md')) return tree
  throw refused(source, `the archive of "${name}" has no SKILL.md at its top. Ask its publisher.`)
}

function chosen(
  source: string,
  { entries, skipped }: SkillIndex,
  wanted: readonly string[] | undefined,
): readonly IndexEntry[] {
  if (wanted === undefined) return entries
  const names = entries.map(({ name }) => name)
  const stored = new Map(wanted.map((name) => [storedSkillName(name), name]))
  for (const [key, name] of stored) {
    if (names.includes(key)) continue
    if (skipped.includes(key))
      throw refused(source, `"${key}" is of a type that is not known here. A later version may know it.`)
    throw notFound(source, name, names)
  }
  return entries.filter(({ name }) => stored.has(name))
}

function skippedTypes(source: string, { skipped }: SkillIndex): Diagnostic[] {
  return skipped.map((name) => ({
    code: 'ENTRY_REFUSED',
    severity: 'warning',
    path: source,
    message: `"${name}" in the index of ${source} is of a type that is not known here, and is left out.`,
    hint: 'A later version may know it.',
  }))
}
