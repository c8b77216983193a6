/** A header of a tar archive, as its blocks have it: what a reader makes of it is compared with this. */
export interface TarBlock {
  readonly type: string
  readonly size: number
}

const BLOCK = 512
/** Headers that say something about the next entry, or about all. */
const META = new Set('xgXLKNV')

/**
 * Walks over the headers of a tar archive up to its end.
 * @returns those of its entries, or why the bytes are not an archive that every reader reads alike
 */
export function tarBlocks(bytes: Uint8Array): readonly TarBlock[] | string {
  const blocks: TarBlock[] = []
  for (let offset = 0; ;) {
    if (offset + BLOCK > bytes.length) return 'it ends without the mark of an end, so that something is missing'
    const header = bytes.subarray(offset, offset + BLOCK)
    if (isZero(header)) return isZero(bytes.subarray(offset)) ? blocks : 'something follows behind its end'
    if (number(header, 148, 8) !== checksum(header)) return 'it is not a tar archive, or a checksum in it is wrong'
    const size = number(header, 124, 12)
    if (size === undefined) return 'the size of an entry in it is not a number'
    const type = String.fromCharCode(header[156]!)
    if (!META.has(type)) blocks.push({ type, size })
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK
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
