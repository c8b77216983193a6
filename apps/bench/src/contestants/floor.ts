import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from './contestant.ts'

const HEAD_BYTES = 4096

/**
 * The lower bound of every reader: open, read 4 KB, close, for each of the known paths, one after the other, into one
 * buffer. No folder is listed and nothing is parsed. Every real frontmatter fits into 4 KB.
 */
export function prepare(root: string): Contestant {
  const paths = readdirSync(root).map((folder) => join(root, folder, 'SKILL.md'))
  const buffer = Buffer.allocUnsafeSlow(HEAD_BYTES)
  return {
    scan: () => {
      let bytes = 0
      for (const path of paths) {
        const file = openSync(path, 'r')
        bytes += readSync(file, buffer, 0, HEAD_BYTES, 0)
        closeSync(file)
      }
      return bytes
    },
    read: () => [],
  }
}
