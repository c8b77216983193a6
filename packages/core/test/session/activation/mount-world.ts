import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type SessionProblem,
  type SkillMounts,
  openRepertoire,
} from '../../../src/index.ts'
import { directorySource, privateMounts } from '../../../src/node/index.ts'
import { hooksBy } from '../hook-runner.ts'

export const HOST = ['Bash', 'Read', 'Grep']

export let base: string
export let root: string
export let spaces: string
export let problems: SessionProblem[]

export const write = (path: string, text: string): void => {
  const file = join(base, 'skills', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: d\n${fields}---\nBody of ${name}: $1.\n`

/** Makes the skills before each test, and removes them after it. */
export function makeSkills(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-mounted-'))
    root = join(base, 'root')
    spaces = join(root, 'private')
    problems = []
    write('pdf/SKILL.md', manifest('pdf'))
    write('pdf/scripts/run.sh', 'echo run\n')
    write('pdf/references/guide.md', 'one\ntwo\n')
    write('pdf/.env', 'KEY=1\n')
    write('csv/SKILL.md', manifest('csv', 'hooks:\n  post: [scripts/after.sh]\n'))
    write('csv/scripts/after.sh', 'echo after\n')
  })

  afterEach(() => rmSync(base, { recursive: true, force: true }))
}

export async function open(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
): Promise<{ repertoire: Repertoire; session: AdapterSession }> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: join(base, 'skills'), layer: 'project' })],
    mounts: privateMounts({ root }),
    ...options,
    scripts: { ...hooksBy(() => ({ ok: true })), ...options.scripts },
  })
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return {
    repertoire,
    session: openAdapterSession(repertoire, { id: 'task', consent: () => true, onProblem, ...session }),
  }
}

let calls = 0
export const call = async (
  session: AdapterSession,
  tool: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<Outcome> => {
  return (await session.step({ tools: HOST })).call({ id: `call-${calls++}`, tool, input }, () => 'ran', { signal })
}
export const activate = (session: AdapterSession, name = 'pdf') => call(session, 'activate_skill', { name })
export const deactivate = (session: AdapterSession) => call(session, 'deactivate_skill', {})
export const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : []
/** A port that fails if it is told to. */
export const port = (parts: Partial<SkillMounts>): SkillMounts => ({ ...privateMounts({ root }), ...parts })
