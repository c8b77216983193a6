import { hostChecks, runHostProfile } from '@repertoire/conformance/host'
import { showInvisible } from '@repertoire/core'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { toJson } from '../output/json.ts'
import { checkLines, chosenChecks } from './conformance-list.ts'
import type { Suite } from './conformance-options.ts'
import { loadHostFiles } from './driver-files.ts'

/**
 * Returns the profile of the hosts whose drivers some modules export.
 * @throws {UsageError} if a module cannot be used, or there is no such check
 */
export async function hostSuite(
  files: readonly string[],
  check: readonly string[] | undefined,
  folder: string,
): Promise<Suite> {
  const chosen = chosenChecks(hostChecks, check, 'repertoire conformance --host FILE --list')
  const hosts = await quietly(() => loadHostFiles(files, folder))
  return {
    count: hosts.length * chosen.length,
    list(json) {
      const listed = hosts.map(({ name, version, documentation }) => ({ name, version, documentation }))
      if (json) return toJson({ hosts: listed, checks: chosen.map(({ id, level, title }) => ({ id, level, title })) })
      const heads = listed.map(({ name, version, documentation }) =>
        showInvisible(`${name} ${version}, ${documentation}`),
      )
      return [...heads, '', ...checkLines(chosen), ''].join('\n')
    },
    run: (onResult) => runHostProfile({ hosts, only: chosen.map(({ id }) => id), onResult }),
  }
}

async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const restore = keepStdoutClean()
  try {
    return await work()
  } finally {
    restore()
  }
}
