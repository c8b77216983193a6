import type { Entry, LocalFileHeader } from 'yauzl'

/** Where an entry lies in the file, as its own header says. */
export interface ZipExtent {
  readonly start: number
  readonly end: number
  readonly entry: Pick<Entry, 'crc32' | 'compressedSize' | 'uncompressedSize'>
  readonly hasDescriptor: boolean
}

export const HAS_DESCRIPTOR = 0x8
const ENCRYPTED = 0x1

/** The sizes of an entry may stand behind it: in one of these lengths, with a mark before them or without. */
const DESCRIPTORS: readonly { readonly bytes: number; readonly isMarked: boolean; readonly isLong: boolean }[] = [
  { bytes: 16, isMarked: true, isLong: false },
  { bytes: 24, isMarked: true, isLong: true },
  { bytes: 12, isMarked: false, isLong: false },
  { bytes: 20, isMarked: false, isLong: true },
]

const CENTRAL_HEADER = 0x02014b50
const CENTRAL_BYTES = 46
const DESCRIPTOR = 0x08074b50
const END = 0x06054b50
const END_BYTES = 22
const LONG_END = 0x06064b50
const LONG_END_BYTES = 56
const LONG_END_LOCATOR = 0x07064b50
const LOCATOR_BYTES = 20

/** Says that a size stands in an extra field. */
const LONG_SIZE = 0xffffffff
const LONG_SIZES = 0x0001
/** The kind of an extra field that has the name of an entry in UTF-8. */
export const UNICODE_PATH = 0x7075

/**
 * Whether an entry's own header says what the list says of it. Programs that read from a stream go by the one, and others by
 * the other, so that two of them would see two archives.
 */
export function isSameEntry(local: LocalFileHeader, entry: Entry): boolean {
  const isLate = (local.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0
  const long = fieldsOf(local.extraField, LONG_SIZES)?.[0]
  let at = 0
  const sizeFits = (found: number, listed: number): boolean => {
    if (found !== LONG_SIZE) return found === listed || (isLate && found === 0)
    if (long === undefined || at + 8 > long.length) return false
    const size = Number(long.readBigUInt64LE(at))
    at += 8
    return size === listed || (isLate && size === 0)
  }
  return (
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    ((local.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & (HAS_DESCRIPTOR | ENCRYPTED)) === 0 &&
    (local.crc32 === entry.crc32 || (isLate && local.crc32 === 0)) &&
    // In the order of the extra field.
    sizeFits(local.uncompressedSize, entry.uncompressedSize) &&
    sizeFits(local.compressedSize, entry.compressedSize)
  )
}

/**
 * Whether an entry has one name to every program. Another one can stand in an extra field, which some go by: that is for
 * names that the field for names cannot hold, in the list and at the entry alike.
 */
export function hasOneName({ fileNameRaw, extraFields }: Entry, { extraField }: LocalFileHeader): boolean {
  const listed = extraFields.filter(({ id }) => id === UNICODE_PATH).map(({ data }) => data)
  const own = fieldsOf(extraField, UNICODE_PATH)
  if (own === undefined || own.length > 1 || listed.length > 1) return false
  if (own[0] !== undefined && listed[0]?.equals(own[0]) !== true) return false
  return listed.length === 0 || fileNameRaw.some((byte) => byte > 0x7f)
}

/** The data of all extra fields of one kind; undefined if it cannot be divided into fields. */
function fieldsOf(extra: Buffer, id: number): readonly Buffer[] | undefined {
  const found: Buffer[] = []
  // What is shorter than the beginning of a field is filling.
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) return undefined
    if (extra.readUInt16LE(at) === id) found.push(extra.subarray(at + 4, end))
    at = end
  }
  return found
}

/** Whether the entries lie one behind the other from the first byte on, then the list of them, then the end, and nothing else. */
export function isCovered(bytes: Buffer, extents: readonly ZipExtent[]): boolean {
  let position = 0
  let last: ZipExtent | undefined
  for (const extent of extents.toSorted((a, b) => a.start - b.start)) {
    if (!gapFits(bytes, position, extent.start, last)) return false
    position = extent.end
    last = extent
  }
  return [0, ...DESCRIPTORS.map(({ bytes: gap }) => gap)].some(
    (gap) => gapFits(bytes, position, position + gap, last) && isListAndEnd(bytes, position + gap, extents.length),
  )
}

/** Between two entries is nothing, or what belongs to the first: its checksum and its sizes, as they are. */
function gapFits(bytes: Buffer, from: number, to: number, before: ZipExtent | undefined): boolean {
  if (before?.hasDescriptor !== true) return from === to
  const { crc32, compressedSize, uncompressedSize } = before.entry
  return DESCRIPTORS.some(({ bytes: length, isMarked, isLong }) => {
    if (to - from !== length || to > bytes.length) return false
    if (isMarked && bytes.readUInt32LE(from) !== DESCRIPTOR) return false
    const at = isMarked ? from + 4 : from
    const size = (offset: number): number =>
      isLong ? Number(bytes.readBigUInt64LE(at + 4 + 2 * offset)) : bytes.readUInt32LE(at + 4 + offset)
    return bytes.readUInt32LE(at) === crc32 && size(0) === compressedSize && size(4) === uncompressedSize
  })
}

function isListAndEnd(bytes: Buffer, from: number, count: number): boolean {
  const startsWith = (mark: number, at: number, length: number): boolean =>
    at + length <= bytes.length && bytes.readUInt32LE(at) === mark
  let at = from
  for (let index = 0; index < count; index++) {
    if (!startsWith(CENTRAL_HEADER, at, CENTRAL_BYTES)) return false
    at += CENTRAL_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  if (startsWith(LONG_END, at, LONG_END_BYTES)) {
    at += LONG_END_BYTES
    if (!startsWith(LONG_END_LOCATOR, at, LOCATOR_BYTES)) return false
    at += LOCATOR_BYTES
  }
  return startsWith(END, at, END_BYTES) && at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length
}
