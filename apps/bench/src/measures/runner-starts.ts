import { spawn } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isSkillError, type ScriptJob, type ScriptRunner } from '@repertoire/core'
import { openBubblewrap, processRunner, virtualRunner } from '@repertoire/runners'
import { Bash } from 'just-bash'
import type { Answers, RunnerId, RunnerTimes } from '../job.ts'

const OUTPUT = 'hello Ada\n'
const SCRIPT = 'scripts/hello.sh'
const FILES = { [SCRIPT]: 'echo hello "$1"\n', 'SKILL.md': `---\nname: greeter\n---\n${'Say hello. '.repeat(500)}\n` }
const LIMITS = { timeoutMs: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 }

/** What is timed: returns what the script wrote. */
type Start = () => Promise<string>

/** Times a script that prints a line: by each runner, and by what it runs on with nothing of ours, in turns. */
export async function timeRunnerStarts(runs: number): Promise<Answers['runners']> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-runner-'))
  try {
    return await timeIn(folder, runs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timeIn(folder: string, runs: number): Promise<Answers['runners']> {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, path), text)
  }
  chmodSync(folder, 0o755)
  const script = join(folder, SCRIPT)
  const bare: Record<RunnerId, Start> = {
    virtual: inBareShell,
    bubblewrap: () => output('bwrap', [...bareArguments(folder), '--', 'sh', `/skill/${SCRIPT}`, 'Ada']),
    process: () => output('sh', [script, 'Ada']),
  }
  const open: Record<RunnerId, () => Promise<ScriptRunner>> = {
    virtual: async () => virtualRunner(),
    bubblewrap: openBubblewrap,
    process: async () => processRunner(),
  }
  const times: Partial<Record<RunnerId, RunnerTimes>> = {}
  for (const id of ['virtual', 'bubblewrap', 'process'] as const) {
    try {
      times[id] = await timePair(await open[id](), bare[id], runs)
    } catch (error) {
      if (!isSkillError(error)) throw error
      times[id] = { absent: error.message }
    }
  }
  return times as Answers['runners']
}

async function timePair(runner: ScriptRunner, bare: Start, runs: number): Promise<RunnerTimes> {
  const own: Start = async () => Buffer.from((await runner.run(job())).stdout).toString()
  const times = { own: [] as number[], bare: [] as number[] }
  for (let run = 0; run < runs; run++) {
    for (const [kind, start] of [['bare', bare] as const, ['own', own] as const]) {
      const startedAt = performance.now()
      const written = await start()
      times[kind].push(performance.now() - startedAt)
      if (written !== OUTPUT) throw new Error(`Error: the script (${kind}) wrote ${JSON.stringify(written)}.`)
    }
  }
  await runner.close?.()
  return times
}

function job(): ScriptJob {
  return {
    interpreter: 'sh',
    interpreterArgs: [],
    script: SCRIPT,
    args: ['Ada'],
    files: Object.entries(FILES).map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: false })),
    environment: {},
    network: false,
    limits: LIMITS,
    signal: new AbortController().signal,
  }
}

/** The same shell with the same commands over the same files. */
async function inBareShell(): Promise<string> {
  const files = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`/skill/${path}`, text]))
  const shell = new Bash({ files, cwd: '/skill', python: true, javascript: true })
  return (await shell.exec('bash', { args: [`/skill/${SCRIPT}`, 'Ada'] })).stdout
}

/**
 * The arguments with which our own runner calls bubblewrap, but that files come from a folder on the disk, and that the
 * temporary folder is bubblewrap's.
 */
function bareArguments(folder: string): readonly string[] {
  const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter((path) => existsSync(path))
  const tables = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/localtime']
  const size = ['--size', `${LIMITS.maxFileBytes}`, '--tmpfs']
  return [
    ['--unshare-user', '--unshare-all', '--disable-userns', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL'],
    ['--new-session', '--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin'],
    system.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    tables.flatMap((path) => ['--ro-bind-try', path, path]),
    ['--proc', '/proc', '--dev', '/dev', ...size, '/dev/shm', '--remount-ro', '/dev'],
    ['--ro-bind', folder, '/skill', ...size, '/tmp', '--chdir', '/skill', '--remount-ro', '/'],
  ].flat()
}

function output(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin' } })
    let written = ''
    child.stdout.on('data', (bytes: Buffer) => (written += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (written += bytes.toString()))
    child.once('error', reject)
    child.once('close', () => resolve(written))
  })
}
