import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { refused } from '../failure.ts'
import { MAX_ENTRIES, MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import type { OriginTree, TreeEntry } from '../tree.ts'
import type { GitEnd } from './process.ts'
import type { GitRemote } from './remote.ts'
import type { GitRevision } from './revision.ts'

/** How often the size of what is received is looked at. */
const POLL_MS = 100
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Of one file in a listing: mode, type, name of the object, path. */
const LISTED = /^(\d{6}) (\w+) ([\da-f]+)\t(.*)$/s

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'file',
  '120000': 'link',
  '160000': 'submodule',
}

interface GitEntry extends TreeEntry {
  readonly object: string
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
  const { maxBytes = MAX_ORIGIN_BYTES } = options
  const received = new Receiver(source, remote, maxBytes, options)
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
    diagnostics: [],
    async read(wanted) {
      const found = wanted.map((entry) => objects.get(entry.path)!)
      const names = [...new Set(found.map(({ object }) => object))]
      const contents = await received.objects(names, commit)
      return new Map(found.map((entry) => [entry.path, contents.get(entry.object)!]))
    },
  }
}

function entryOf(source: string, line: string): GitEntry {
  const [, mode = '', , object = '', path = ''] = LISTED.exec(line) ?? []
  const kind = KINDS[mode]
  if (object === '') throw refused(source, 'its listing cannot be read.')
  return { path, kind: kind ?? 'special', executable: mode === '100755', object }
}

/** A repository that grows with what is received. A class, since what was received is its state. */
class Receiver {
  readonly #source: string
  readonly #remote: GitRemote
  readonly #maxBytes: number
  readonly #options: OriginOptions & { readonly signal: AbortSignal }
  #folder: string
  readonly #known = new Map<string, Uint8Array>()

  constructor(
    source: string,
    remote: GitRemote,
    maxBytes: number,
    options: OriginOptions & { readonly signal: AbortSignal },
  ) {
    this.#source = source
    this.#remote = remote
    this.#maxBytes = maxBytes
    this.#options = options
    this.#folder = join(remote.folder, 'repository.git')
  }

  /** @param name a folder that is not there yet */
  async init(commit: string, name = 'repository.git'): Promise<void> {
    this.#folder = join(this.#remote.folder, name)
    const format = commit.length === 64 ? ['--object-format=sha256'] : []
    const args = ['init', '--quiet', '--bare', '--template=', ...format, this.#folder]
    const end = await this.#remote.local(args, { signal: this.#options.signal })
    if (end.code !== 0) this.#remote.fail(end, 'No place for it could be made.')
  }

  local(args: readonly string[], input?: string, maxBytes?: number): Promise<GitEnd> {
    const job = {
      signal: this.#options.signal,
      ...(input !== undefined && { input }),
      ...(maxBytes !== undefined && { maxBytes }),
    }
    return this.#remote.local(['--git-dir', this.#folder, ...args], job)
  }

  /** Fetches, and ends it when more was received than may be. @throws {SkillError} ORIGIN_REFUSED */
  async fetch(args: readonly string[], input?: string): Promise<GitEnd> {
    const { signal, onProgress } = this.#options
    const tooMuch = new AbortController()
    const before = this.#size()
    let count = before
    const look = (): void => {
      try {
        const size = this.#size()
        if (size > count) onProgress?.({ kind: 'received', count: size })
        count = size
        if (size > this.#maxBytes) throw refused(this.#source, `it has more than ${this.#maxBytes} bytes.`)
      } catch (error) {
        tooMuch.abort(error)
      }
    }
    const timer = setInterval(look, POLL_MS)
    try {
      const all = ['--git-dir', this.#folder, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...args]
      const job = { signal: AbortSignal.any([signal, tooMuch.signal]), ...(input !== undefined && { input }) }
      const end = await this.#remote.ask(all, job)
      look()
      tooMuch.signal.throwIfAborted()
      return end
    } finally {
      clearInterval(timer)
    }
  }

  /** Reads objects by their names. @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED */
  async objects(wanted: readonly string[], commit: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const names = wanted.filter((name) => !this.#known.has(name))
    if (names.length === 0) return this.#known
    const list = `${names.join('\n')}\n`
    const end = await this.fetch(['--filter=blob:none', '--stdin', '--', this.#remote.url], list)
    if (end.code !== 0) {
      // It gives no single files: then all of the commit, to a place where git does not take it for received already.
      await this.init(commit, 'whole.git')
      const whole = await this.fetch(['--depth=1', '--', this.#remote.url, commit])
      if (whole.code !== 0) this.#remote.fail(end, 'Its files were not received.')
    }
    const { code, stdout, isTooMuch } = await this.local(
      ['cat-file', '--batch'],
      list,
      this.#maxBytes + 100 * names.length,
    )
    if (isTooMuch) throw refused(this.#source, `its files have more than ${this.#maxBytes} bytes.`)
    if (code !== 0) throw refused(this.#source, 'its files cannot be read.')
    for (const [name, bytes] of parseBatch(this.#source, stdout)) this.#known.set(name, bytes)
    return this.#known
  }

  #size(): number {
    let size = 0
    const add = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) add(path)
        // Git renames and removes while it works.
        else size += statSync(path, { throwIfNoEntry: false })?.size ?? 0
      }
    }
    try {
      add(join(this.#folder, 'objects'))
    } catch {
      // A folder has gone meanwhile: the next look counts again.
    }
    return size
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
    if (length > MAX_FILE_BYTES) throw refused(source, `a file of it has more than ${MAX_FILE_BYTES} bytes.`)
    contents.set(name, output.subarray(end + 1, end + 1 + length))
    position = end + 1 + length + 1
  }
  return contents
}
