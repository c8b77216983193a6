import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { refused } from '../failure.ts'
import { MAX_ENTRIES, MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import type { OriginTree, TreeEntry } from '../tree.ts'
import type { ProgramEnd } from '../../run-program.ts'
import type { GitRemote } from './remote.ts'
import type { GitRevision } from './revision.ts'

/** How often the size of what is received is looked at. */
const POLL_MS = 100

/** Of one file in a listing: mode, type, name of the object, path. */
const LISTED = /^(\d{6}) (\w+) ([\da-f]+)\t(.*)$/s

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'file',
  '120000': 'link',
  '160000': 'submodule',
}

/**
 * Receives the trees of one commit, and later the files that are read. Nothing is checked out: files are read from the
 * objects, so that no link, filter or hook of the repository has a place to act in.
 * @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED
 */
export async function gitTree(
  source: string,
  remote: GitRemote,
  { commit, ref, path }: GitRevision,
  options: OriginOptions & { readonly signal: AbortSignal },
): Promise<OriginTree> {
  const received = createReceiver(source, remote, options)
  await received.init(commit)
  let end = await received.fetch(['--depth=1', '--filter=blob:none', '--', remote.url, commit])
  // Servers of old give nothing but what their branches and tags show.
  if (end.code !== 0) end = await received.fetch(['--depth=1', '--', remote.url, ref ?? 'HEAD'])
  if (end.code !== 0) remote.fail(end, `The commit ${commit} was not received.`)
  const listing = await received.local(['ls-tree', '-r', '-z', '--full-tree', commit])
  if (listing.code !== 0) {
    const reason = `the commit ${commit} is not there any more, or the server does not give it. Name a branch of today.`
    throw refused(source, reason)
  }
  const entries = listing.stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => entryOf(source, line))
    .filter((entry) => path === '' || entry.path.startsWith(`${path}/`))
  if (entries.length > MAX_ENTRIES) throw refused(source, `it has more than ${MAX_ENTRIES} files. Name a folder in it.`)
  const objects = new Map(entries.map((entry) => [entry.path, entry]))
  return {
    entries,
    base: path,
    async read(wanted) {
      const found = wanted.map((entry) => objects.get(entry.path)!)
      const names = [...new Set(found.map(({ object }) => object))]
      const contents = await received.objects(names)
      return new Map(found.map((entry) => [entry.path, contents.get(entry.object)!]))
    },
  }
}

function entryOf(source: string, line: string): TreeEntry & { readonly object: string } {
  const [, mode = '', , object = '', path = ''] = LISTED.exec(line) ?? []
  const kind = KINDS[mode]
  if (object === '') throw refused(source, 'its listing cannot be read.')
  return { path, kind: kind ?? 'special', executable: mode === '100755', object }
}

/** Holds a repository that grows with what is received. */
function createReceiver(
  source: string,
  remote: GitRemote,
  { maxBytes = MAX_ORIGIN_BYTES, signal, onProgress }: OriginOptions & { readonly signal: AbortSignal },
) {
  const folder = join(remote.folder, 'repository.git')

  const init = async (commit: string): Promise<void> => {
    const format = commit.length === 64 ? ['--object-format=sha256'] : []
    const end = await remote.local(['init', '--quiet', '--bare', '--template=', ...format, folder], { signal })
    if (end.code !== 0) remote.fail(end, 'No place for it could be made.')
  }

  const local = (args: readonly string[], more: { readonly input?: string; readonly maxBytes?: number } = {}) =>
    remote.local(['--git-dir', folder, ...args], { signal, ...more })

  /** Fetches, and ends it when more was received than may be. @throws {SkillError} ORIGIN_REFUSED */
  const fetch = async (args: readonly string[], input?: string): Promise<ProgramEnd> => {
    const tooMuch = new AbortController()
    let count = sizeOf(folder)
    const look = (): void => {
      try {
        const size = sizeOf(folder)
        if (size > count) onProgress?.({ kind: 'received', count: size })
        count = size
        if (size > maxBytes) throw refused(source, `it has more than ${maxBytes} bytes. Name a folder in it.`)
      } catch (error) {
        tooMuch.abort(error)
      }
    }
    const timer = setInterval(look, POLL_MS)
    try {
      const all = ['--git-dir', folder, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...args]
      const job = { signal: AbortSignal.any([signal, tooMuch.signal]), input }
      const end = await remote.ask(all, job)
      look()
      tooMuch.signal.throwIfAborted()
      return end
    } finally {
      clearInterval(timer)
    }
  }

  /** Reads objects by their names. @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED */
  const objects = async (names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
    if (names.length === 0) return new Map()
    const input = `${names.join('\n')}\n`
    const end = await fetch(['--filter=blob:none', '--stdin', '--', remote.url], input)
    if (end.code !== 0) remote.fail(end, 'Its files were not received.')
    const most = maxBytes + 100 * names.length
    const { code, stdout, isTooMuch } = await local(['cat-file', '--batch'], { input, maxBytes: most })
    if (isTooMuch) throw refused(source, `its files have more than ${maxBytes} bytes. Name a folder in it.`)
    if (code !== 0) throw refused(source, 'its files cannot be read.')
    return parseBatch(source, stdout)
  }
  return { init, local, fetch, objects }
}

/** The size of what a repository has received, in bytes. Git renames and removes while it works: look again. */
function sizeOf(repository: string): number {
  const folder = join(repository, 'objects')
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return files.reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
  } catch {
    return 0
  }
}

/** Reads `<name> blob <size>\n<content>\n`, again and again. */
function parseBatch(source: string, output: Buffer): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>()
  for (let position = 0; position < output.length;) {
    const end = output.indexOf('\n', position)
    const [name = '', type, size] = output.toString('latin1', position, Math.max(end, position)).split(' ')
    const length = Number(size)
    if (type !== 'blob' || !Number.isSafeInteger(length)) throw refused(source, 'a file of it is not there.')
    contents.set(name, output.subarray(end + 1, end + 1 + length))
    position = end + 1 + length + 1
  }
  return contents
}
