import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import { isSkillError } from '@repertoire/core'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { createArchiveRules, type ArchiveEntry } from './rules.ts'

const LINK = 0o120000

/** The kind of an extra field that has the name of an entry in UTF-8. */
const UNICODE_PATH = 0x7075

/** Attributes of DOS: a folder, and what Windows takes for a link. */
const NOT_A_FILE = 0x10 | 0x400

/** Reads a zip archive into memory. @throws {SkillError} ORIGIN_REFUSED */
export async function readZip(origin: string, given: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { fromBufferPromise } = await import('yauzl')
  const rules = createArchiveRules(origin, maxBytes)
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true })
    for await (const entry of zip.eachEntry()) {
      const admitted = declared(entry)
      rules.admit(admitted)
      if (admitted.kind === 'folder') continue
      // Refuses what is encrypted, packed by another method, or has another size than it says.
      const content = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray())
      if (crc32(content) !== entry.crc32) throw new Error(`the checksum of ${admitted.path} is another`)
      rules.content(content)
    }
  } catch (error) {
    if (isSkillError(error)) throw error
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    throw refused(origin, `it cannot be read as a zip archive: ${reason}.`)
  }
  return rules.tree()
}

/**
 * The name of an entry. Programs on Unix write UTF-8 also where they do not say so; what is no UTF-8 is as the format
 * has it, in the characters of the first PC.
 */
function nameOf({ fileName, fileNameRaw, extraFields }: Entry): string {
  const isDecoded = extraFields.some(({ id }) => id === UNICODE_PATH) || !isUtf8(fileNameRaw)
  return isDecoded ? fileName : fileNameRaw.toString()
}

function declared(entry: Entry): ArchiveEntry {
  const { externalFileAttributes, uncompressedSize } = entry
  const path = nameOf(entry)
  const unix = externalFileAttributes >>> 16
  const format = unix & 0o170000
  const isFolder = path.endsWith('/')
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
