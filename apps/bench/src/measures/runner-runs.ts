import { spawn } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ScriptJob, ScriptRunner } from '@repertoire/core'
import { openBubblewrap, virtualRunner } from '@repertoire/runners'
import { Bash } from 'just-bash'
import { type Pair, steady } from '../statistics.ts'

/** The runners that add isolation. A plain process has nothing of ours to compare. */
export type RunnerId = 'virtual' | 'bubblewrap'

const RUNS = 20
const OUTPUT = 'hello Ada\n'
const SCRIPT = 'scripts/hello.sh'
const FILES = { [SCRIPT]: 'echo hello "$1"\n', 'SKILL.md': `---\nname: greeter\n---\n${'Say hello. '.repeat(500)}\n` }
const LIMITS = { timeoutMs: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 }

/**
 * Times a script that prints a line: by a runner, and by the bare shell or sandbox under it, in turns.
 * @throws {SkillError} if the runner does not work here
 */
export async function timeRunner(id: RunnerId, runs = RUNS): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-runner-'))
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true, mode: 0o755 })
      writeFileSync(join(folder, path), text)
    }
    chmodSync(folder, 0o755)
    const runner: ScriptRunner = id === 'virtual' ? virtualRunner() : await openBubblewrap()
    const sides = {
      base: id === 'virtual' ? runInBareShell : () => runInBareSandbox(folder),
      own: async () => Buffer.from((await runner.run(job())).stdout).toString(),
    }
    const times = { own: [] as number[], base: [] as number[] }
    for (let run = 0; run < runs; run++) {
      for (const side of ['base', 'own'] as const) {
        const start = performance.now()
        const written = await sides[side]()
        times[side].push(performance.now() - start)
        if (written !== OUTPUT) throw new Error(`The script (${side}) wrote ${JSON.stringify(written)}.`)
      }
    }
    await runner.close?.()
    return { own: steady(times.own), base: steady(times.base) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

/** The same shell, with the same commands and files. */
async function runInBareShell(): Promise<string> {
  const files = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`/skill/${path}`, text]))
  const shell = new Bash({ files, cwd: '/skill', python: true, javascript: true })
  return (await shell.exec('bash', { args: [`/skill/${SCRIPT}`, 'Ada'] })).stdout
}

/** Our runner's arguments for bubblewrap, but with files from a folder on the disk and bubblewrap's own temporary folder. */
function argumentsOfSandbox(folder: string): readonly string[] {
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

function runInBareSandbox(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = [...argumentsOfSandbox(folder), '--', 'sh', `/skill/${SCRIPT}`, 'Ada']
    const child = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin' } })
    let written = ''
    child.stdout.on('data', (bytes: Buffer) => (written += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (written += bytes.toString()))
    child.once('error', reject)
    child.once('close', () => resolve(written))
  })
}
