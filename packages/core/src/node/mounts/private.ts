import { resolve } from 'node:path'
import { callable, foreign, number, required, text, withDefault } from '../../options/kinds.ts'
import { checkOptions, type OptionTable } from '../../options/table.ts'
import { openCopies, type PrivateMounts, type PrivateMountsOptions } from './copies.ts'

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024

const PRIVATE_MOUNTS_OPTIONS: OptionTable<PrivateMountsOptions> = {
  root: required(text),
  maxBytes: withDefault(DEFAULT_MAX_BYTES, number('bytes', { above: 0, isUnlimited: true })),
  now: callable,
}

const SWEEP_OPTIONS: OptionTable<Parameters<PrivateMounts['sweep']>[0]> = {
  keep: required(
    foreign(
      'the ids of the running tasks',
      (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
    ),
  ),
  olderThan: withDefault(0, number('milliseconds', { from: 0, isUnlimited: true })),
}

/**
 * Keeps copies of skills in a private folder of each task: files that only this user can read and nobody can write (0400,
 * 0500 if executable), in folders of 0700. A model is shown `private:/.skills/<skill>`. The folder names for a task's id
 * and for an unusual skill name are unique, and never paths to another folder. Links are never followed.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function privateMounts(options: PrivateMountsOptions): PrivateMounts {
  checkOptions('privateMounts', PRIVATE_MOUNTS_OPTIONS, options)
  const { root: rootOption, maxBytes = DEFAULT_MAX_BYTES, now = Date.now } = options
  const root = resolve(rootOption)

  let opened: PrivateMounts | undefined
  const copies = async (): Promise<PrivateMounts> => {
    return (opened ??= openCopies({ root, maxBytes, now }))
  }
  return {
    mount: async (request) => (await copies()).mount(request),
    unmount: async (task, skill) => (await copies()).unmount(task, skill),
    async sweep(sweeping) {
      checkOptions('sweep', SWEEP_OPTIONS, sweeping)
      const { keep, olderThan = 0 } = sweeping
      const kept = [...keep]
      return (await copies()).sweep({ keep: kept, olderThan })
    },
  }
}
