import type { ReadEntry } from 'tar'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules, type ArchiveEntry, type ArchiveRules } from './rules.ts'

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
      if (entry.type === 'SymbolicLink') rules.content(Buffer.from(entry.linkpath ?? ''))
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

/** A header of a tar archive, as its blocks have it: what a reader makes of it is compared with this. */
interface TarBlock {
  readonly type: string
  readonly size: number
}

const BLOCK = 512
const LINE_FEED = 10
/** Headers that say something about the next entry, or about all. */
const META = new Set('xgXLKNV')
/** Those among them that are made of records: of the next entry, of all, and as Solaris writes them. */
const RECORDS = new Set('xgX')
/** What may name the next entry. */
const NAMES = new Set('xXL')

/**
 * Walks over the headers of a tar archive up to its end.
 * @returns those of its entries, or why the bytes are not an archive that every reader reads alike
 */
function tarBlocks(bytes: Uint8Array): readonly TarBlock[] | string {
  const blocks: TarBlock[] = []
  let names = 0
  for (let offset = 0; ;) {
    if (offset + BLOCK > bytes.length) return 'it ends without the mark of an end, so that something is missing'
    const header = bytes.subarray(offset, offset + BLOCK)
    if (isZero(header)) return isZero(bytes.subarray(offset)) ? blocks : 'something follows behind its end'
    if (number(header, 148, 8) !== checksum(header)) return 'it is not a tar archive, or a checksum in it is wrong'
    const size = number(header, 124, 12)
    if (size === undefined) return 'the size of an entry in it is not a number'
    const type = String.fromCharCode(header[156]!)
    const content = bytes.subarray(offset + BLOCK, offset + BLOCK + size)
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (offset > bytes.length) return 'it ends without the mark of an end, so that something is missing'
    if (!META.has(type)) {
      blocks.push({ type, size })
      names = 0
      continue
    }
    const problem = RECORDS.has(type) ? recordsProblem(content, type) : undefined
    if (problem !== undefined) return problem
    // Which of two counts depends on the reader.
    if (NAMES.has(type) && ++names > 1) return 'an entry in it has several headers that may name it'
  }
}

/** Octal digits between spaces and NULs. Sizes beyond 8 GiB are written otherwise, and none is wanted here. */
function number(header: Uint8Array, start: number, length: number): number | undefined {
  const text = String.fromCharCode(...header.subarray(start, start + length)).replaceAll(/^[ \0]+|[ \0]+$/g, '')
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : undefined
}

function checksum(header: Uint8Array): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** Why the records of a header are not read alike by all; undefined if they are. */
function recordsProblem(content: Uint8Array, type: string): string | undefined {
  const records = readRecords(content)
  if (records === undefined) return 'a header in it is malformed, or says something twice'
  for (const [key, value] of records) {
    if (key.startsWith('GNU.sparse.') || key === 'SCHILY.realsize')
      return 'a file in it is sparse. Pack it without holes'
    const isOfEntry = key === 'path' || key === 'linkpath' || key === 'size'
    if (isOfEntry && type === 'g') return `a header in it gives all entries the same ${key}`
    if (isOfEntry && value.includes(0)) return `a ${key} in it holds a NUL character`
  }
  return undefined
}

/** Reads `<length> <key>=<value>`, each with a line feed at its end. Undefined: there is something else, or one key twice. */
function readRecords(content: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  const records = new Map<string, Uint8Array>()
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at)
    const length = space === -1 ? '' : bytes.toString('latin1', at, space)
    const end = at + (/^[1-9]\d{0,8}$/.test(length) ? Number(length) : 0)
    const equals = bytes.indexOf('=', space)
    if (end > bytes.length || equals === -1 || equals >= end - 1 || bytes[end - 1] !== LINE_FEED) return undefined
    const key = bytes.toString('utf8', space + 1, equals)
    if (key === '' || records.has(key)) return undefined
    records.set(key, bytes.subarray(equals + 1, end - 1))
    at = end
  }
  return records
}
