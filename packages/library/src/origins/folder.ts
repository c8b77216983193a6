import { readlinkSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import process from 'node:process'
import { isSkillError } from '@repertoire/core'
import { OpenError, openPinnedFolder, skillFolder, type OpenFolder } from '@repertoire/core/node'
import { withFolder } from '../open-folder.ts'
import { refused, unreachable } from './failure.ts'
import { MAX_ENTRIES, MAX_ORIGIN_BYTES } from './limits.ts'
import type { OriginOptions } from './options.ts'
import type { Origin, ResolvedOrigin } from './origin.ts'
import { treeOrigin } from './tree-origin.ts'
import type { OriginTree, TreeEntry } from './tree.ts'

/** The deepest folder that is searched, plus the depth that a skill's folder may have. */
const MAX_DEPTH = 24
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Resolves a folder of this machine. It has no revision: what is fetched is what is there then. */
export function resolveFolder(path: string, options: OriginOptions): Origin {
  const { cwd = process.cwd(), maxBytes = MAX_ORIGIN_BYTES } = options
  const resolved = localOrigin(path, cwd)
  const root = realOf(path, cwd)
  return treeOrigin(resolved, options, async (work, wanted) => work(folderTree(resolved, root, maxBytes), wanted))
}

/** A path of this machine as a lock has it: relative to the project unless it was given absolute. */
export function localOrigin(path: string, cwd: string): ResolvedOrigin {
  const short = isAbsolute(path) ? path : relative(cwd, resolve(cwd, path)).replaceAll('\\', '/')
  const source = isAbsolute(short) || short.startsWith('../') || short === '..' ? short : `./${short}`
  return { source: source === './' ? '.' : source, sourceType: 'local' }
}

/** @throws {SkillError} ORIGIN_UNREACHABLE */
function realOf(path: string, cwd: string): string {
  try {
    // Links on the way are the user's own.
    const real = realpathSync.native(resolve(cwd, path))
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    throw unreachable(path, 'there is no such folder. Check the path.', error)
  }
  throw unreachable(path, 'it is not a folder. Name the folder, or an archive.')
}

function folderTree({ source }: ResolvedOrigin, real: string, maxBytes: number): OriginTree {
  const skills = skillFolder(real)
  const links = new Map<string, Uint8Array>()
  return {
    entries: entriesOf(source, real, links),
    base: '',
    async read(entries, signal) {
      const contents = new Map<string, Uint8Array>()
      let total = 0
      for (const { path } of entries) {
        signal?.throwIfAborted()
        const bytes = links.get(path) ?? (await skills.read(path, { withheld: true, maxBytes: MAX_FILE_BYTES }))
        total += bytes.length
        if (total > maxBytes) throw refused(source, `its skills have more than ${maxBytes} bytes. Name a folder in it.`)
        contents.set(path, bytes)
      }
      return contents
    },
  }
}

/**
 * @param links takes what each link leads to
 * @throws {SkillError} ORIGIN_REFUSED, ORIGIN_UNREACHABLE
 */
function entriesOf(source: string, real: string, links: Map<string, Uint8Array>): readonly TreeEntry[] {
  const entries: TreeEntry[] = []
  const walk = (folder: OpenFolder, prefix: string, depth: number): void => {
    for (const entry of folder.entries()) {
      if (entry.name === '.git') continue
      const path = prefix + entry.name
      if (entries.length === MAX_ENTRIES) {
        throw refused(source, `it holds more than ${MAX_ENTRIES} files. Name a folder in it.`)
      }
      // It cannot be opened by the name that is known of it. It matters in a skill alone, where its name is refused.
      if (entry.name.includes('\uFFFD')) {
        entries.push({ path, kind: 'file', executable: false })
        continue
      }
      const kind = kindOf(entry)
      if (kind === 'link') links.set(path, Buffer.from(folder.at(entry.name, (at) => readlinkSync(at))))
      if (kind !== 'folder')
        entries.push({ path, kind, executable: kind === 'file' && (folder.stat(entry.name).mode & 0o111) !== 0 })
      else if (depth === MAX_DEPTH) entries.push({ path, kind: 'deep', executable: false })
      else withFolder(folder.folder(entry.name), (below) => walk(below, `${path}/`, depth + 1))
    }
  }
  try {
    withFolder(openPinnedFolder(real), (root) => walk(root, '', 0))
  } catch (error) {
    if (isSkillError(error) || !(error instanceof OpenError)) throw error
    throw unreachable(source, `a folder in it cannot be read (${error.kind}). Check its permissions.`, error)
  }
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function kindOf(entry: Dirent): TreeEntry['kind'] | 'folder' {
  if (entry.name === 'node_modules') return 'node_modules'
  if (entry.isDirectory()) return 'folder'
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'special'
}
