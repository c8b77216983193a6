import type { ReadEntry } from 'tar'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules, type ArchiveEntry, type ArchiveRules } from './rules.ts'
import { tarBlocks } from './tar-blocks.ts'

const FILES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile'])
const LINKS: ReadonlySet<string> = new Set(['SymbolicLink', 'Link'])
const WHAT: Readonly<Record<string, string>> = {
  CharacterDevice: 'a device',
  BlockDevice: 'a device',
  FIFO: 'a pipe',
}

/** Reads an unpacked tar archive into memory. @throws {SkillError} ORIGIN_REFUSED */
export async function readTar(origin: string, bytes: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const blocks = tarBlocks(bytes)
  if (typeof blocks === 'string') throw refused(origin, `${blocks}.`)
  const rules = createArchiveRules(origin, maxBytes)
  const sizes = await parse(origin, bytes, rules)
  // Headers can overrule the size of an entry, and two readers then see two archives in the same bytes.
  if (sizes.length !== blocks.length || sizes.some((size, index) => size !== blocks[index]!.size)) {
    throw refused(origin, 'its headers contradict one another. The archive is damaged, or made to deceive.')
  }
  return rules.tree()
}

async function parse(origin: string, bytes: Uint8Array, rules: ArchiveRules): Promise<readonly number[]> {
  const { Parser } = await import('tar')
  const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
  const sizes: number[] = []
  const parser = new Parser({ strict: true })
  const judge = (entry: ReadEntry): boolean => {
    try {
      sizes.push(entry.size)
      rules.admit(declared(entry))
      return true
    } catch (error) {
      reject(error)
      return false
    }
  }
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    if (judge(entry)) reject(refused(origin, `it has an entry of the type ${entry.type}, which is not read.`))
  })
  parser.on('entry', (entry: ReadEntry) => {
    const isFile = judge(entry) && FILES.has(entry.type)
    const chunks: Uint8Array[] = []
    entry.on('data', (chunk: Uint8Array) => void (isFile && chunks.push(chunk)))
    entry.on('end', () => {
      try {
        if (isFile) rules.content(Buffer.concat(chunks))
      } catch (error) {
        reject(error)
      }
    })
  })
  parser.on('error', (error: Error) => reject(refused(origin, `it cannot be read as a tar archive: ${error.message}.`)))
  parser.on('end', () => resolve(sizes))
  parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return promise
}

function declared({ path, type, mode, size }: ReadEntry): ArchiveEntry {
  const kind = FILES.has(type) ? 'file' : LINKS.has(type) ? 'link' : type === 'Directory' ? 'folder' : undefined
  return { path, kind, what: WHAT[type] ?? `an entry of the type ${type}`, mode, size }
}
