import { parseSkill, resolveSkillFiles } from '@skill-tools/core'
import { basename } from 'node:path'
import type { Contestant } from './contestant.ts'

type Parsed = Awaited<ReturnType<typeof parseSkill>>

/** `@skill-tools/core`: `resolveSkillFiles`, then `parseSkill` for each. */
export function prepare(root: string): Contestant {
  return {
    scan: async () => {
      const files = await resolveSkillFiles(root)
      return Promise.all(files.map(({ skillFile }) => parseSkill(skillFile)))
    },
    read: (results: readonly Parsed[]) =>
      results
        .map(({ skill }) => skill)
        .filter((skill) => skill !== null)
        .map(({ dirPath, metadata }) => ({ folder: basename(dirPath), description: metadata.description ?? '' })),
  }
}
