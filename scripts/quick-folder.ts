import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * Returns a folder in memory, for tests that write thousands of small files. Returns undefined if there is none with
 * room, or if no program may run from it, as in most containers.
 */
export function quickFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK)
    const [, options] = / \/dev\/shm \S+ (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    const { bavail, bsize } = statfsSync(FOLDER)
    return options?.split(',').includes('noexec') === false && bavail * bsize >= MIN_FREE_BYTES ? FOLDER : undefined
  } catch {
    return undefined
  }
}
