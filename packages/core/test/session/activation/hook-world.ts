import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentRequest,
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type ScriptJob,
  type ScriptOptions,
  type SessionProblem,
  openRepertoire,
} from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'
import { type HookEnd, hooksBy } from '../hook-runner.ts'

export let base: string
export let runs: ScriptJob[]
export let problems: SessionProblem[]
export let asked: ConsentRequest[]

export const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const skill = (name: string, hooks: string): void => {
  write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n${hooks}---\nBody of ${name}.\n`)
  for (const [path] of hooks.matchAll(/scripts\/\w+\.sh/g)) write(`${name}/${path}`, `check ${name}\n`)
}

/** Makes the skills before each test, and removes them after it. */
export function makeSkills(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-hooks-'))
    runs = []
    problems = []
    asked = []
    skill(
      'deploy',
      'hooks:\n  pre: [scripts/check.sh, scripts/lock.sh]\n  post: [scripts/unlock.sh, scripts/tidy.sh]\n',
    )
    skill('other', 'hooks:\n  post: [scripts/other.sh]\n')
    skill('third', 'hooks:\n  post: [scripts/third.sh]\n')
    skill('plain', '')
    write('deploy/.env', 'KEY=1\n')
  })

  afterEach(() => rmSync(base, { recursive: true, force: true }))
}

/** Runs hooks by their scripts; what is not named succeeds. */
export const running = (
  ends: Readonly<Record<string, (job: ScriptJob) => HookEnd | Promise<HookEnd>>> = {},
): ScriptOptions =>
  hooksBy((job) => {
    runs.push(job)
    return ends[job.script]?.(job) ?? { ok: true }
  })

export async function open(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
): Promise<{ repertoire: Repertoire; session: AdapterSession }> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: base, layer: 'project' })],
    ...options,
    scripts: { ...running(), ...options.scripts },
  })
  const consent = (request: ConsentRequest): boolean => {
    asked.push(request)
    return true
  }
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return { repertoire, session: openAdapterSession(repertoire, { id: 'task', consent, onProblem, ...session }) }
}

let calls = 0
export const call = async (
  session: AdapterSession,
  tool: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<Outcome> => {
  return (await session.step({ tools: [] })).call({ id: `call-${calls++}`, tool, input }, () => 'ran', { signal })
}
export const activate = (session: AdapterSession, name = 'deploy', args?: string, signal?: AbortSignal) =>
  call(session, 'activate_skill', { name, args }, signal)
export const deactivate = (session: AdapterSession) => call(session, 'deactivate_skill', {})
export const commands = () => runs.map(({ script }) => script)
export const PRE = ['scripts/check.sh', 'scripts/lock.sh']
export const POST = ['scripts/unlock.sh', 'scripts/tidy.sh']

export const fail = (what: unknown): never => {
  throw what instanceof Object ? what : new Error(String(what))
}
