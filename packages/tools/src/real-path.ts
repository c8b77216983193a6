import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path that the links of a path lead to, as far as it is there. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}
