import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * A folder in memory, for tests that write thousands of small files; undefined where there is none with room, or where no
 * program may run from it, as in most containers.
 */
export function quickFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === FOLDER)
    if (mount === undefined || mount.split(' ')[3]!.split(',').includes('noexec')) return undefined
    accessSync(FOLDER, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    return bavail * bsize >= MIN_FREE_BYTES ? FOLDER : undefined
  } catch {
    return undefined
  }
}
