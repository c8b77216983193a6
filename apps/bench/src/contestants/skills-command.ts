import { basename } from 'node:path'
import type { Contestant, ReadSkill } from './contestant.ts'
import { importUnexported } from './unexported.ts'

interface Found {
  readonly path: string
  readonly description: string
}

/** The loader inside the `skills` command. */
export async function prepare(root: string): Promise<Contestant> {
  const discover = await importUnexported({
    package: 'skills',
    file: 'dist/cli.mjs',
    start: /\nmain\(\)\.finally\([\s\S]*$/,
    name: 'discoverSkills',
  })
  return {
    scan: () => discover(root),
    read: (skills: readonly Found[]): ReadSkill[] =>
      skills.map(({ path, description }) => ({ folder: basename(path), description })),
  }
}
