import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ScriptRunner } from '@repertoire/core'
import type { Figures } from '../rows.ts'
import type { Jobs } from '../run.ts'
import { timeInTurns } from '../timing.ts'

const SCRIPT = 'scripts/hello.sh'
const FILES = { [SCRIPT]: 'echo hello "$1"\n', 'SKILL.md': `---\nname: greeter\n---\n${'Say hello. '.repeat(500)}\n` }
const LIMITS = { timeout: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 }

/** The runners that isolate, and the bare shell or sandbox under them. */
export const jobs: Jobs = {
  /** The same shell, with the same commands and files. */
  async virtual() {
    const { virtualRunner } = await import('@repertoire/runners')
    const { Bash } = await import('just-bash')
    const files = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`/skill/${path}`, text]))
    return measure(virtualRunner(), async () => {
      const shell = new Bash({ files, cwd: '/skill', python: true, javascript: true })
      return (await shell.exec('bash', { args: [`/skill/${SCRIPT}`, 'Ada'] })).stdout
    })
  },
  /** The same namespaces, and the machine's programs, read-only. */
  async bubblewrap() {
    const { openBubblewrapRunner } = await import('@repertoire/runners')
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-bwrap-'))
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true, mode: 0o755 })
      writeFileSync(join(folder, path), text)
    }
    chmodSync(folder, 0o755)
    const args = [
      ['--unshare-user', '--unshare-all', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--clearenv'],
      ['--new-session', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
      ['--tmpfs', '/tmp', '--ro-bind', folder, '/mnt', '--chdir', '/mnt', '--', 'sh', `/mnt/${SCRIPT}`, 'Ada'],
    ].flat()
    const env = { PATH: '/usr/bin:/bin' }
    const runner = await openBubblewrapRunner()
    return measure(runner, async () => (await promisify(execFile)('bwrap', args, { env })).stdout)
  },
}

async function measure(runner: ScriptRunner, runBare: () => Promise<string>): Promise<Figures> {
  const job = {
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
  const runOwn = async (): Promise<string> => {
    return Buffer.from((await runner.run(job)).stdout).toString()
  }
  const works = { base: async () => check(await runBare()), own: async () => check(await runOwn()) }
  return timeInTurns(works, { turns: 20, iterations: 1 })
}

/** @throws {Error} the script did not print its line */
function check(printed: string): void {
  if (printed !== 'hello Ada\n') throw new Error(`The script printed ${JSON.stringify(printed)}.`)
}
