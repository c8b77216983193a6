import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type ScriptEnd,
  type ScriptJob,
  type ScriptRunner,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { skillText } from '../session-world.ts'

/** A runner that really runs: a process for each script, in a copy of the skill's folder, and no isolation at all. */
export function processRunner(
  over: Partial<ScriptRunner> = {},
): ScriptRunner & { readonly jobs: readonly ScriptJob[] } {
  const jobs: ScriptJob[] = []
  return {
    jobs,
    name: 'process',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: (interpreter) =>
      ['sh', 'bash', 'node'].includes(interpreter) ? true : `There is no ${interpreter} here.`,
    async run(job) {
      jobs.push(job)
      const folder = await mkdtemp(join(tmpdir(), 'script-'))
      try {
        for (const { path, bytes } of job.files) {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), bytes)
        }
        return await runIn(folder, job)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    ...over,
  }
}

async function runIn(folder: string, job: ScriptJob): ReturnType<ScriptRunner['run']> {
  const began = performance.now()
  const { PATH = '' } = process.env
  const child = spawn(job.interpreter, [...job.interpreterArgs, job.script, ...job.args], {
    cwd: folder,
    env: { PATH, SKILL_DIR: folder, ...job.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  let end: ScriptEnd = 'exited'
  const stop = (how: ScriptEnd) => (): void => {
    end = how
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  const timer = setTimeout(stop('timed-out'), job.limits.timeout)
  job.signal.addEventListener('abort', stop('aborted'))
  if (job.signal.aborted) stop('aborted')()
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return {
    end,
    ...(end === 'exited' && { exitCode: exitCode ?? 1 }),
    stdout: Buffer.concat(out),
    stderr: Buffer.concat(err),
    dropped: { stdout: 0, stderr: 0 },
    durationMs: performance.now() - began,
  }
}

/** Files of the skills, which a test may change. */
export function scriptFiles(): Record<string, Record<string, string>> {
  return {
    tool: {
      'SKILL.md': skillText('tool'),
      'scripts/args.sh': 'for arg in "$@"; do echo "[$arg]"; done',
      'scripts/fail.sh': 'echo so far; echo wrong >&2; exit 3',
      'scripts/lib/beside.sh': 'cat "$(dirname "$0")/../../data.txt"; pwd; env | sort',
      'scripts/wait.sh': 'echo started; sleep 60',
      'scripts/danger.sh': 'rm -rf /\n',
      'scripts/gem.rb': 'puts 1',
      'data.txt': 'agreed\n',
    },
    reader: { 'SKILL.md': skillText('reader', 'allowed-tools: Read\n'), 'scripts/own.sh': 'echo own' },
    named: {
      'SKILL.md': skillText('named', 'allowed-tools: Read run_skill_script(scripts/one.sh)\n'),
      'scripts/one.sh': 'echo one',
      'scripts/two.sh': 'echo two',
    },
    strict: { 'SKILL.md': skillText('strict', 'disallowed-tools: run_skill_script\n'), 'scripts/a.sh': 'echo a' },
    plain: { 'SKILL.md': skillText('plain') },
  }
}

interface ScriptWorld {
  readonly repertoire: Repertoire
  readonly session: AdapterSession
  readonly runner: ReturnType<typeof processRunner>
}

export async function openScripts(
  options: Partial<RepertoireOptions> = {},
  session: AdapterSessionOptions = {},
  skills: Record<string, Record<string, string>> = scriptFiles(),
): Promise<ScriptWorld> {
  const runner = processRunner()
  const sources = [memorySource({ layer: 'project', skills })]
  const repertoire = await openRepertoire({ sources, ...options, scripts: { runner, ...options.scripts } })
  return { repertoire, runner, session: openAdapterSession(repertoire, { consent: () => true, ...session }) }
}

let counter = 0

/** Calls a tool in its own step. */
export async function call(
  session: AdapterSession,
  tool: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<Outcome> {
  return (await session.step({ tools: ['Read'] })).call({ id: `s${counter++}`, tool, input }, () => 'ran', { signal })
}

export const use = (session: AdapterSession, name: string): Promise<Outcome> =>
  call(session, 'activate_skill', { name })

export const run = (session: AdapterSession, path: string, more: object = {}): Promise<Outcome> =>
  call(session, 'run_skill_script', { path, ...more })

export const toolNames = async (session: AdapterSession): Promise<readonly string[]> =>
  (await session.step({ tools: ['Read'] })).tools.map(({ name }) => name)
