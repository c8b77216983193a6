import { showName } from '@repertoire/core'
import { createPathIndex, storedPathProblem } from '@repertoire/core/stores'
import { refused } from '../failure.ts'
import { MAX_ENTRIES } from '../limits.ts'
import type { OriginTree, TreeEntry } from '../tree.ts'

/** An entry as an archive declares it, whatever the format. */
export interface ArchiveEntry {
  readonly path: string
  /** `undefined`: something else, described by `what`. */
  readonly kind: 'file' | 'folder' | 'link' | undefined
  /** For a message: `a device`. */
  readonly what?: string
  /** Permission bits; absent: the archive has none. */
  readonly mode?: number | undefined
  /** In bytes, unpacked, as declared. */
  readonly size: number
}

/**
 * The rules of one archive, while it is read. Any entry that breaks one refuses the whole. A link breaks none by
 * itself: the skill that it is in is judged by where it leads, as in a repository.
 */
export interface ArchiveRules {
  /** Judges an entry before its content is read. @throws {SkillError} ORIGIN_REFUSED */
  readonly admit: (entry: ArchiveEntry) => void
  /** Takes the content of the file, or the target of the link, that was admitted last. */
  readonly content: (bytes: Uint8Array) => void
  /** What was admitted, once the end of the archive was reached. */
  readonly tree: () => OriginTree
}

/** The only bits of a mode that are kept. */
const EXECUTABLE = 0o111

/** @param maxBytes of all files together, unpacked */
export function createArchiveRules(origin: string, maxBytes: number): ArchiveRules {
  const index = createPathIndex()
  const files: TreeEntry[] = []
  const contents = new Map<string, Uint8Array>()
  let count = 0
  let total = 0
  let last: TreeEntry | undefined
  return {
    admit(entry) {
      const { kind, what = 'something else than a file', mode = 0, size } = entry
      last = undefined
      if (++count > MAX_ENTRIES)
        throw refused(origin, `it has more than ${MAX_ENTRIES} entries. Unpack it, and add a folder of it.`)
      if (kind === undefined) throw bad(origin, entry.path, `is ${what}. Put a plain file there`)
      if (kind === 'folder' && size > 0) throw bad(origin, entry.path, 'is a folder with content')
      const path = plainPath(entry.path, kind)
      if (path === '' && kind === 'folder') return
      const problem = path.includes('\uFFFD') ? 'its name is not UTF-8' : storedPathProblem(path)
      if (problem !== undefined) throw bad(origin, entry.path, `is not a path in an archive: ${problem}`)
      const twin = index.add(path.split('/'), kind === 'folder' ? kind : 'file')
      if (twin !== undefined) throw bad(origin, twin.path, twinReason(twin.path, twin.other))
      total += size
      if (total > maxBytes)
        throw refused(origin, `it unpacks to more than ${maxBytes} bytes. Unpack it, and add a folder of it.`)
      if (kind === 'folder') return
      const found = { path, kind, executable: kind === 'file' && (mode & EXECUTABLE) !== 0 }
      files.push(found)
      last = found
    },
    content(bytes) {
      if (last !== undefined) contents.set(last.path, bytes)
    },
    tree() {
      return {
        entries: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        base: commonFolder(files),
        read: (entries) => Promise.resolve(new Map(entries.map(({ path }) => [path, contents.get(path)!]))),
      }
    },
  }
}

/** `./` at the beginning and `/` at the end of a folder are how programs write them. */
function plainPath(path: string, kind: ArchiveEntry['kind']): string {
  const inner = path.replace(/^(?:\.\/)+/, '')
  if (kind !== 'folder') return inner
  return inner === '.' ? '' : inner.replace(/\/$/, '')
}

/** Returns the folder that holds all entries; empty if there is no such folder. Entries that macOS adds are ignored. */
function commonFolder(files: readonly TreeEntry[]): string {
  const tops = new Set(files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')))
  tops.delete('__MACOSX')
  const [top = ''] = tops
  return tops.size === 1 ? top : ''
}

function twinReason(path: string, other: string): string {
  return path === other
    ? 'is there twice, or is a file and a folder'
    : `and ${showName(other)} are one to some file systems. Rename one`
}

function bad(origin: string, path: string, reason: string): ReturnType<typeof refused> {
  const way = 'If the archive is not yours, unpack it, correct it, and add the folder.'
  return refused(origin, `"${showName(path.slice(0, 200))}" ${reason}. ${way}`, path)
}
