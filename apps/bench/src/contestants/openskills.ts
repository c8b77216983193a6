import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { basename } from 'node:path'
import process from 'node:process'
import type { Contestant, ReadSkill } from './contestant.ts'
import { importUnexported } from './unexported.ts'

interface Found {
  readonly path: string
  readonly description: string
}

/** The loader inside the `openskills` command, which greps for `description:`. It looks into `.claude/skills`. */
export async function prepare(root: string): Promise<Contestant> {
  const find = await importUnexported({
    package: 'openskills',
    file: 'dist/cli.js',
    start: /\nprogram\.parse\(\);\s*$/,
    name: 'findAllSkills',
  })
  const project = join(dirname(root), `.as-project-${process.pid}`)
  mkdirSync(join(project, '.claude'), { recursive: true })
  symlinkSync(root, join(project, '.claude', 'skills'))
  process.chdir(project)
  // The user's own skills must not be found either.
  process.env['HOME'] = project
  return {
    scan: () => find(),
    read: (skills: readonly Found[]): ReadSkill[] =>
      skills.map(({ path, description }) => ({ folder: basename(path), description })),
  }
}
