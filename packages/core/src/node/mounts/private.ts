import { resolve } from 'node:path'
import { lazyImport } from '../../lazy-import.ts'
import type { SkillMounts } from '../../ports/mount.ts'

/** Options of `privateMounts`. */
export interface PrivateMountsOptions {
  /**
   * The folder in which each task has a folder of its own, `private/<task>/.skills/<skill>`. Created at the first mount.
   * Absolute, or relative to the current working folder. No other user may be able to write to what is created in it.
   */
  readonly root: string
  /** The largest copy of one skill, in bytes. Default 256 MiB. */
  readonly maxBytes?: number
  /** Milliseconds since 1970. Default: the machine's. */
  readonly now?: () => number
}

/** Private copies on disk. */
export interface PrivateMounts extends SkillMounts {
  /**
   * Removes the copies of tasks that were never ended, for example after a crash.
   * @param options.keep the ids of the running tasks, including those of other processes
   * @param options.olderThan milliseconds since something was last mounted for the task; default 0
   * @returns the names of the folders whose copies were removed
   * @throws {SkillError} FOLDER_NOT_WRITABLE: one could not be removed; all others are
   */
  sweep(options: { readonly keep: Iterable<string>; readonly olderThan?: number }): Promise<readonly string[]>
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024

/** Most programs mount nothing. */
const COPIES = lazyImport(() => import('./copies.ts'))

/**
 * Keeps copies of skills in a private folder of each task: files that only this user can read and nobody can write (0400,
 * 0500 if executable), in folders of 0700. A model is shown `private:/.skills/<skill>`. The folder names for a task's id
 * and for an unusual skill name are unique, and never paths to another folder. Links are never followed.
 * @throws {TypeError} an option does not have the shape named here
 */
export function privateMounts(options: PrivateMountsOptions): PrivateMounts {
  const { root: rootOption, maxBytes = DEFAULT_MAX_BYTES, now = Date.now } = options
  if (typeof rootOption !== 'string' || rootOption === '')
    throw new TypeError('privateMounts: `root` is the path of a folder.')
  if (!(maxBytes > 0)) throw new TypeError('privateMounts: `maxBytes` is a number of bytes, more than 0.')
  const root = resolve(rootOption)

  let opened: PrivateMounts | undefined
  const copies = async (): Promise<PrivateMounts> => {
    const { openCopies } = COPIES.loaded === undefined ? await COPIES.load() : COPIES.loaded
    return (opened ??= openCopies({ root, maxBytes, now }))
  }
  return {
    mount: async (request) => (await copies()).mount(request),
    unmount: async (task, skill) => (await copies()).unmount(task, skill),
    async sweep({ keep, olderThan = 0 }) {
      const kept = [...keep]
      return (await copies()).sweep({ keep: kept, olderThan })
    },
  }
}
