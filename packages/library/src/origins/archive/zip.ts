import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { isSkillError } from '@repertoire/core'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules } from './rules.ts'
import type { ArchiveEntry } from './rules.ts'

const inflate = promisify(inflateRaw)
const STORED = 0
const DEFLATED = 8
/** The sizes of an entry may stand behind it, in one of these lengths. */
const DESCRIPTOR_BYTES: readonly number[] = [12, 16, 20, 24]
const HAS_DESCRIPTOR = 0x8
const ENCRYPTED = 0x1
const LINK = 0o120000
const CENTRAL_HEADER = 0x02014b50

/** Where an entry lies in the file. */
interface Extent {
  readonly start: number
  readonly end: number
  readonly hasDescriptor: boolean
}

/** Reads a zip archive into memory. @throws {SkillError} ORIGIN_REFUSED */
export async function readZip(origin: string, given: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { fromBufferPromise } = await import('yauzl')
  const rules = createArchiveRules(origin, maxBytes)
  const extents: Extent[] = []
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true })
    for await (const entry of zip.eachEntry()) {
      const admitted = declared(entry)
      rules.admit(admitted)
      const { kind } = admitted
      const { start, extent } = await locate(origin, zip, entry)
      extents.push(extent)
      if (kind === 'file') rules.content(await contentOf(origin, entry, bytes.subarray(start, extent.end)))
    }
  } catch (error) {
    throw isSkillError(error) ? error : refused(origin, `it cannot be read as a zip archive: ${reasonOf(error)}.`)
  }
  if (!isCovered(bytes, extents)) {
    throw refused(
      origin,
      'entries in it overlap, or it holds bytes of no entry. The archive is damaged, or made to deceive.',
    )
  }
  return rules.tree()
}

function declared({ fileName, externalFileAttributes, uncompressedSize }: Entry): ArchiveEntry {
  const unix = externalFileAttributes >>> 16
  const format = unix & 0o170000
  const isFolder = fileName.endsWith('/')
  // Whatever system it says that it comes from: some program would go by these bits.
  const fits = format === 0 || format === (isFolder ? 0o040000 : 0o100000)
  return {
    path: fileName,
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
): Promise<{ readonly start: number; readonly extent: Extent }> {
  const local = await zip.readLocalFileHeaderPromise(entry)
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    ((local.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & (HAS_DESCRIPTOR | ENCRYPTED)) === 0
  if (!isSame) throw bad(origin, entry, 'is another entry at its place than in the list')
  const start = local.fileDataStart
  const hasDescriptor = (local.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0
  return {
    start,
    extent: { start: entry.relativeOffsetOfLocalHeader, end: start + entry.compressedSize, hasDescriptor },
  }
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
      content = await inflate(packed, { maxOutputLength: size + 1 })
    } catch (error) {
      const isLarger = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      throw bad(origin, entry, isLarger ? `has more than the ${size} bytes that it says` : 'is damaged')
    }
  }
  if (crc32(content) !== entry.crc32) throw bad(origin, entry, 'is damaged: its checksum is another')
  return content
}

/** Whether the entries lie one behind the other from the first byte on, up to the list of them. */
function isCovered(bytes: Buffer, extents: readonly Extent[]): boolean {
  let position = 0
  let gaps: readonly number[] = [0]
  for (const { start, end, hasDescriptor } of extents.toSorted((a, b) => a.start - b.start)) {
    if (!gaps.includes(start - position)) return false
    position = end
    gaps = hasDescriptor ? DESCRIPTOR_BYTES : [0]
  }
  return gaps.some((gap) => position + gap + 4 <= bytes.length && bytes.readUInt32LE(position + gap) === CENTRAL_HEADER)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}

function bad(origin: string, { fileName }: Entry, reason: string): Error {
  return refused(origin, `"${fileName.slice(0, 200)}" ${reason}.`, fileName)
}
