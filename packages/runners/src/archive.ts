import { Buffer } from 'node:buffer'

/** A file of an archive. */
export interface ArchiveEntry {
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable?: boolean
  /** The file's permissions. Default: 0o755 for what is executable, 0o644 for the rest. */
  readonly mode?: number
}

/** A folder of an archive, which is there also when it is empty. */
export interface ArchiveFolder {
  readonly path: string
  readonly mode: number
}

const BLOCK = 512
const MAX_NAME_BYTES = 100

/** A tar archive of these files, as every `tar` reads it: ustar, with an extended header for a long path. */
export function archive(entries: readonly ArchiveEntry[], folders: readonly ArchiveFolder[] = []): Uint8Array {
  const parts: Uint8Array[] = []
  const add = (name: string, type: string, bytes: Uint8Array, mode: number): void => {
    parts.push(header(name, type, bytes.byteLength, mode), bytes, new Uint8Array(padding(bytes.byteLength)))
  }
  for (const { path, mode } of folders) add(`${path}/`, '5', new Uint8Array(), mode)
  for (const [index, { path, bytes, executable = false, mode = executable ? 0o755 : 0o644 }] of entries.entries()) {
    const long = Buffer.byteLength(path) > MAX_NAME_BYTES
    if (long) add(`path-${index}`, 'x', extendedPath(path), 0o644)
    add(long ? `file-${index}` : path, '0', bytes, mode)
  }
  parts.push(new Uint8Array(2 * BLOCK))
  return Buffer.concat(parts)
}

function header(name: string, type: string, size: number, mode: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number): number =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  block.write(name, 0)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** `LENGTH path=…\n`, where the length counts its own digits. */
function extendedPath(path: string): Uint8Array {
  const rest = Buffer.byteLength(` path=${path}\n`)
  let length = rest + 1
  while (`${length}`.length + rest !== length) length = `${length}`.length + rest
  return Buffer.from(`${length} path=${path}\n`)
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}
