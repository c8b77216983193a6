import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readProperties, type SkillProperties, toPrompt } from 'skills-ref'
import type { Contestant } from './contestant.ts'

/** `skills-ref`, the reference library: it reads one folder, so the caller lists the folders. */
export function prepare(root: string): Contestant {
  // Called for all folders at once, it would read one after the other, and fail for all if it cannot read one.
  const readAll = async <T>(read: (folder: string) => Promise<T>): Promise<readonly T[]> => {
    const entries = await readdir(root, { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
    const results = await Promise.allSettled(folders.map(read))
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  }
  return {
    scan: () => readAll(async (folder) => ({ folder: basename(folder), properties: await readProperties(folder) })),
    firstPrompt: async () => (await readAll((folder) => toPrompt([folder]))).join('\n'),
    read: (skills: readonly { folder: string; properties: SkillProperties }[]) =>
      skills.map(({ folder, properties }) => ({ folder, description: properties.description })),
  }
}
