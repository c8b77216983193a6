import type { ReadEntry } from 'tar'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules, type ArchiveEntry } from './rules.ts'

const FILES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile'])
const LINKS: ReadonlySet<string> = new Set(['SymbolicLink', 'Link'])

/** Reads a tar archive, packed by gzip or not, into memory. @throws {SkillError} ORIGIN_REFUSED */
export async function readTar(origin: string, bytes: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const { Parser } = await import('tar')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const rules = createArchiveRules(origin, maxBytes)
  const parser = new Parser({ strict: true })
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      reject(error)
      parser.abort(error as Error)
    }
  }
  const take = (entry: ReadEntry): void =>
    attempt(() => {
      const chunks: Uint8Array[] = []
      rules.admit(declared(entry))
      if (entry.type === 'SymbolicLink') rules.content(Buffer.from(entry.linkpath ?? ''))
      entry.on('data', (chunk: Uint8Array) => void chunks.push(chunk))
      entry.on('end', () => attempt(() => FILES.has(entry.type) && rules.content(Buffer.concat(chunks))))
    })
  parser.on('ignoredEntry', take)
  parser.on('entry', take)
  parser.on('error', (error: Error) =>
    reject(refused(origin, `it cannot be read as .tar, .tar.gz or .zip: ${error.message}.`)),
  )
  parser.on('end', resolve)
  parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  await promise
  return rules.tree()
}

function declared({ path, type, mode, size }: ReadEntry): ArchiveEntry {
  const kind = FILES.has(type) ? 'file' : LINKS.has(type) ? 'link' : type === 'Directory' ? 'folder' : undefined
  return { path, kind, what: `an entry of the type ${type}`, mode, size }
}
