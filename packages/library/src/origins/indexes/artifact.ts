import { createHash } from 'node:crypto'
import { readArchive } from '../archive/read.ts'
import { refused } from '../failure.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginTree, TreeEntry } from '../tree.ts'
import { download, type DownloadOptions } from '../web/download.ts'
import type { IndexEntry } from './index-file.ts'

/** Files that are asked for at once, of a skill that is a list of them. */
const MAX_REQUESTS = 4

/**
 * Receives what an index says of a skill. Each digest is compared before anything else is done with the bytes.
 * @returns the skill in a folder of its name
 * @throws {SkillError} ORIGIN_REFUSED, ORIGIN_UNREACHABLE
 */
export async function receive(origin: string, entry: IndexEntry, options: DownloadOptions): Promise<OriginTree> {
  const { name } = entry
  if (entry.type === 'files') return memoryTree(name, await receiveFiles(origin, entry, options))
  const { bytes } = await download(origin, entry.url, options)
  compare(origin, name, bytes, entry.sha256)
  if (entry.type === 'skill-md') return memoryTree(name, new Map([['SKILL.md', bytes]]))
  const tree = await readArchive(origin, bytes, options.maxBytes ?? MAX_ORIGIN_BYTES)
  if (!tree.entries.some(({ path }) => path === 'SKILL.md')) {
    throw refused(origin, `the archive of "${name}" has no SKILL.md at its top.`)
  }
  return inFolder(name, tree)
}

async function receiveFiles(
  origin: string,
  { name, files }: Extract<IndexEntry, { readonly type: 'files' }>,
  options: DownloadOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { maxBytes = MAX_ORIGIN_BYTES } = options
  const received = new Map<string, Uint8Array>()
  let total = 0
  for (let from = 0; from < files.length; from += MAX_REQUESTS) {
    await Promise.all(
      files.slice(from, from + MAX_REQUESTS).map(async ({ path, url, sha256 }) => {
        const { bytes } = await download(origin, url, { ...options, maxBytes: maxBytes - total })
        if (sha256 !== undefined) compare(origin, `${name}/${path}`, bytes, sha256)
        total += bytes.length
        received.set(path, bytes)
      }),
    )
    if (total > maxBytes) throw refused(origin, `"${name}" has more than ${maxBytes} bytes.`)
  }
  return received
}

function compare(origin: string, name: string, bytes: Uint8Array, sha256: string): void {
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === sha256) return
  const reason = `"${name}" has the digest sha256:${found}, and its index says sha256:${sha256}. Ask its publisher.`
  throw refused(origin, reason, name)
}

function memoryTree(name: string, files: ReadonlyMap<string, Uint8Array>): OriginTree {
  const entries = [...files].map(
    ([path, { length }]) => ({ path, kind: 'file', executable: false, size: length }) as const,
  )
  const read: OriginTree['read'] = (wanted) =>
    Promise.resolve(new Map(wanted.map(({ path }) => [path, files.get(path)!] as const)))
  return inFolder(name, { entries, base: '', diagnostics: [], read })
}

/** The same below a folder, so that the skills of an index are one tree. */
function inFolder(name: string, tree: OriginTree): OriginTree {
  const prefix = `${name}/`
  const inner = (entry: TreeEntry): TreeEntry => ({ ...entry, path: entry.path.slice(prefix.length) })
  return {
    ...tree,
    base: '',
    entries: tree.entries.map((entry) => ({ ...entry, path: prefix + entry.path })),
    folders: [name],
    async read(entries, signal) {
      const contents = await tree.read(entries.map(inner), signal)
      return new Map([...contents].map(([path, bytes]) => [prefix + path, bytes]))
    },
  }
}
