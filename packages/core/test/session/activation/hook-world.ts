import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentRequest,
  type HookResult,
  type HookRun,
  type HookRunner,
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type SessionProblem,
  openRepertoire,
} from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'

export let base: string
export let runs: HookRun[]
export let problems: SessionProblem[]
export let asked: ConsentRequest[]

export const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const skill = (name: string, hooks: string): void => {
  write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n${hooks}---\nBody of ${name}.\n`)
  write(`${name}/scripts/check.sh`, `check ${name}\n`)
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

/** Runs hooks by their commands; what is not named succeeds. */
export const running =
  (results: Readonly<Record<string, (run: HookRun) => unknown>> = {}): HookRunner =>
  (run) => {
    runs.push(run)
    return (results[run.command]?.(run) ?? { ok: true }) as HookResult
  }

export async function open(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
): Promise<{ repertoire: Repertoire; session: AdapterSession }> {
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: base, layer: 'project' })],
    ...options,
    scripts: { hooks: running(), ...options.scripts },
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
export const commands = () => runs.map(({ phase, command }) => `${phase} ${command}`)
export const PRE = ['pre scripts/check.sh', 'pre scripts/lock.sh']
export const POST = ['post scripts/unlock.sh', 'post scripts/tidy.sh']

export const fail = (what: unknown): never => {
  throw what instanceof Object ? what : new Error(String(what))
}
