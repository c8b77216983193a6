import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** An entry of a tar archive; `size` and `type` may say what is not so. */
export interface TarPart {
  readonly path: string
  readonly body?: string | Uint8Array
  readonly type?: string
  readonly mode?: number
  readonly size?: number
  readonly linkpath?: string
}

/** Writes a tar archive header by header, also such as no program writes. */
export function tarOf(parts: readonly TarPart[]): Buffer {
  return Buffer.concat([...parts.map(tarEntry), Buffer.alloc(1024)])
}

export function tgzOf(parts: readonly TarPart[]): Buffer {
  return gzipSync(tarOf(parts))
}

/** A header of PAX for the next entry. */
export function paxOf(records: Readonly<Record<string, string>>): TarPart {
  const body = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`)
    const length = [1, 2, 3].map((digits) => rest + digits).find((sum) => String(sum).length + rest === sum)!
    return `${length} ${key}=${value}\n`
  })
  return { path: 'PaxHeader/x', type: 'x', body: body.join('') }
}

function tarEntry({ path, body = '', type = '0', mode = 0o644, linkpath = '', size }: TarPart): Buffer {
  const content = Buffer.from(body)
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(linkpath, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

/** An entry of a zip archive; all but `path` and `body` may say what is not so. */
export interface ZipPart {
  readonly path: string | Uint8Array
  readonly body?: string | Uint8Array
  /** Type and permissions, as Unix has them. */
  readonly mode?: number
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  readonly size?: number
  /** Whether sizes and checksum stand behind the content, as when they are not known before. */
  readonly descriptor?: boolean
  /** Attributes of DOS. */
  readonly dos?: number
  /** Extra fields. */
  readonly extra?: Uint8Array
  /** Lists the bytes of the entry with this index. */
  readonly sameAs?: number
}

/** An extra field that gives an entry another name. */
export function unicodePathOf(path: string, name: Uint8Array | string): Buffer {
  const field = Buffer.alloc(9)
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(5 + Buffer.byteLength(path), 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32(name), 5)
  return Buffer.concat([field, Buffer.from(path)])
}

/** Writes a zip archive, also such as no program writes. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = []
  const list: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const part of parts) {
    const { path, body = '', mode = 0, method = 8, sameAs, descriptor = false } = part
    const flags = part.flags ?? (descriptor ? 0x808 : 0x800)
    const content = Buffer.from(body)
    const { dos = 0, extra = Buffer.alloc(0) } = part
    const packed = method === 8 ? deflateRawSync(content) : content
    const name = Buffer.from(path)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(flags, 2)
    shared.writeUInt16LE(method, 4)
    shared.writeUInt32LE(part.crc ?? crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(part.size ?? content.length, 18)
    const at = sameAs === undefined ? offset : offsets[sameAs]!
    offsets.push(at)
    if (sameAs === undefined) {
      shared.writeUInt16LE(name.length, 22)
      shared.writeUInt16LE(extra.length, 24)
      const known = Buffer.from(shared)
      if (descriptor) known.fill(0, 10, 22)
      const behind = descriptor ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), shared.subarray(10, 22)]) : ''
      const start = Buffer.from('PK\x03\x04', 'latin1')
      const local = Buffer.concat([start, known, name, extra, packed, Buffer.from(behind)])
      pieces.push(local)
      offset += local.length
    }
    shared.writeUInt16LE(name.length, 22)
    shared.writeUInt16LE(extra.length, 24)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((mode << 16) | dos) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), shared, rest, name, extra]))
  }
  const central = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(list.length, 8)
  end.writeUInt16LE(list.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, central, end])
}
