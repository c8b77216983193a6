import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ScriptJob, ScriptRunner } from '@repertoire/core'
import { openBubblewrapRunner, virtualRunner } from '@repertoire/runners'
import { Bash } from 'just-bash'
import { type Pair, steady, timed } from '../statistics.ts'

/** The runners that add isolation. A plain process adds nothing to compare. */
export type RunnerId = 'virtual' | 'bubblewrap'

const runFile = promisify(execFile)
const RUNS = 20
const OUTPUT = 'hello Ada\n'
const SCRIPT = 'scripts/hello.sh'
const FILES = { [SCRIPT]: 'echo hello "$1"\n', 'SKILL.md': `---\nname: greeter\n---\n${'Say hello. '.repeat(500)}\n` }
const LIMITS = { timeout: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 }

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
    const runner: ScriptRunner = id === 'virtual' ? virtualRunner() : await openBubblewrapRunner()
    const sides = {
      base: id === 'virtual' ? runInBareShell : () => runInBareSandbox(folder),
      own: async () => Buffer.from((await runner.run(job())).stdout).toString(),
    }
    const times = { own: [] as number[], base: [] as number[] }
    for (let run = 0; run < runs; run++) {
      for (const side of ['base', 'own'] as const) {
        let written = ''
        times[side].push(await timed(async () => (written = await sides[side]())))
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

/** The namespaces of our runner and the machine's programs, read-only. */
function argumentsOfSandbox(folder: string): readonly string[] {
  return [
    ['--unshare-user', '--unshare-all', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--clearenv'],
    ['--new-session', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
    ['--tmpfs', '/tmp', '--ro-bind', folder, '/mnt', '--chdir', '/mnt'],
  ].flat()
}

async function runInBareSandbox(folder: string): Promise<string> {
  const args = [...argumentsOfSandbox(folder), '--', 'sh', `/mnt/${SCRIPT}`, 'Ada']
  return (await runFile('bwrap', args, { env: { PATH: '/usr/bin:/bin' } })).stdout
}
