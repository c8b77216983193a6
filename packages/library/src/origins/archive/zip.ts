import { promisify } from 'node:util'
import { crc32, inflateRaw, type ZlibOptions } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { isSkillError } from '@repertoire/core'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules, type ArchiveEntry } from './rules.ts'
import { HAS_DESCRIPTOR, hasOneName, isCovered, isSameEntry, UNICODE_PATH, type ZipExtent } from './zip-layout.ts'
import { systemCodeOf } from '../../system-code.ts'

const inflate = promisify(inflateRaw) as unknown as (
  packed: Buffer,
  options: ZlibOptions & { readonly info: true },
) => Promise<{ readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }>

const STORED = 0
const DEFLATED = 8
const LINK = 0o120000

/** Attributes of DOS: a folder, and what Windows takes for a link. */
const NOT_A_FILE = 0x10 | 0x400

/** Reads a zip archive into memory. @throws {SkillError} ORIGIN_REFUSED */
export async function readZip(origin: string, given: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { fromBufferPromise } = await import('yauzl')
  const rules = createArchiveRules(origin, maxBytes)
  const extents: ZipExtent[] = []
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true })
    for await (const entry of zip.eachEntry()) {
      const admitted = declared(entry)
      rules.admit(admitted)
      const { kind } = admitted
      const { start, extent } = await locate(origin, zip, entry)
      extents.push(extent)
      if (kind !== 'folder') rules.content(await contentOf(origin, entry, bytes.subarray(start, extent.end)))
    }
  } catch (error) {
    throw isSkillError(error) ? error : refused(origin, `it cannot be read as a zip archive: ${reasonOf(error)}.`)
  }
  if (!isCovered(bytes, extents)) {
    const reason = 'entries in it overlap, or it holds bytes of no entry. The archive is damaged, or made to deceive.'
    throw refused(origin, reason)
  }
  return rules.tree()
}

/**
 * The name of an entry. Programs on Unix write UTF-8 also where they do not say so; what is no UTF-8 is as the format has it,
 * in the characters of the first PC.
 */
function nameOf({ fileName, fileNameRaw, extraFields }: Entry): string {
  if (extraFields.some(({ id }) => id === UNICODE_PATH)) return fileName
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw)
  } catch {
    return fileName
  }
}

function declared(entry: Entry): ArchiveEntry {
  const { externalFileAttributes, uncompressedSize } = entry
  const path = nameOf(entry)
  const unix = externalFileAttributes >>> 16
  const format = unix & 0o170000
  const isFolder = path.endsWith('/')
  // Whatever system it says that it comes from: some program would go by these bits.
  const isPlain = isFolder || (externalFileAttributes & NOT_A_FILE) === 0
  const fits = isPlain && (format === 0 || format === (isFolder ? 0o040000 : 0o100000))
  return {
    path,
    kind: fits ? (isFolder ? 'folder' : 'file') : format === LINK && !isFolder ? 'link' : undefined,
    what: 'neither a file nor a folder',
    mode: unix & 0o7777,
    size: uncompressedSize,
  }
}

async function locate(
  origin: string,
  zip: ZipFile,
  entry: Entry,
): Promise<{ readonly start: number; readonly extent: ZipExtent }> {
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!isSameEntry(local, entry)) throw bad(origin, entry, 'is another entry at its place than in the list')
  if (!hasOneName(entry, local)) throw bad(origin, entry, 'has two names, and not every program would take the same')
  const start = local.fileDataStart
  const hasDescriptor = (local.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0
  const end = start + entry.compressedSize
  return { start, extent: { start: entry.relativeOffsetOfLocalHeader, end, entry, hasDescriptor } }
}

async function contentOf(origin: string, entry: Entry, packed: Buffer): Promise<Uint8Array> {
  const { compressionMethod, uncompressedSize: size } = entry
  if (entry.isEncrypted()) throw bad(origin, entry, 'is encrypted')
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    throw bad(origin, entry, 'is packed by a method that is not read. Pack it by "deflate"')
  }
  let content: Buffer = packed
  if (compressionMethod === DEFLATED) {
    try {
      // One more than declared: otherwise a limit could be taken for the end.
      const { buffer, engine } = await inflate(packed, { maxOutputLength: size + 1, info: true })
      if (engine.bytesWritten !== packed.length) throw new Error('More follows behind its end.')
      content = buffer
    } catch (error) {
      const isLarger = systemCodeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      throw bad(origin, entry, isLarger ? `has more than the ${size} bytes that it says` : 'is damaged')
    }
  }
  if (crc32(content) !== entry.crc32) throw bad(origin, entry, 'is damaged: its checksum is another')
  return content
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}

function bad(origin: string, { fileName }: Entry, reason: string): Error {
  return refused(origin, `"${fileName.slice(0, 200)}" ${reason}.`, fileName)
}
