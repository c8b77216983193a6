import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from './contestant.ts'

const HEAD = 4096

/**
 * What no reader can go below: open, read 4 KB, close, for each of the known paths, one after the other, into one
 * buffer. No folder is listed and nothing is looked at. Of real frontmatters, 4 KB hold every one.
 */
export function prepare(root: string): Contestant {
  const paths = readdirSync(root).map((folder) => join(root, folder, 'SKILL.md'))
  const buffer = Buffer.allocUnsafeSlow(HEAD)
  return {
    scan: () => {
      let bytes = 0
      for (const path of paths) {
        const file = openSync(path, 'r')
        bytes += readSync(file, buffer, 0, HEAD, 0)
        closeSync(file)
      }
      return bytes
    },
    read: () => [],
  }
}
