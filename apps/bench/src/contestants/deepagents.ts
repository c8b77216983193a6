import { listSkills } from 'deepagents'
import { basename, dirname } from 'node:path'
import type { Contestant } from './contestant.ts'

/** `deepagents`, its `listSkills`. Its warnings about odd skills are dropped, which is to its advantage. */
export function prepare(root: string): Contestant {
  console.warn = () => {}
  return {
    scan: () => listSkills({ projectSkillsDir: root }),
    read: (skills: ReturnType<typeof listSkills>) =>
      skills.map(({ path, description }) => ({ folder: basename(dirname(path)), description })),
  }
}
