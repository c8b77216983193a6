import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** How a program ended. */
interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A repository with the real scripts and libraries, and one package: an adapter called `one`. */
export interface Workspace {
  readonly root: string
  readonly write: (file: string, content: string) => Promise<void>
  /** Runs a program of the workspace's own `bin`, one of the repository's, or Node on a script. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<Ended>
}

/** Makes a workspace that is removed when the test is over. */
export async function makeWorkspace(): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-workspace-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), content)
  }
  await cp(join(REPOSITORY, 'scripts'), join(root, 'scripts'), { recursive: true })
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  await write('package.json', '{ "type": "module" }')
  await write('pnpm-lock.yaml', '')
  await write(
    'packages/one/package.json',
    '{ "type": "module", "exports": { "./conformance": "./src/conformance.ts" } }',
  )
  await write('packages/one/src/conformance.ts', 'export {}\n')
  return {
    root,
    write,
    async run(command, ...args) {
      const path = [join(root, 'bin'), join(REPOSITORY, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
      const env = { ...process.env, VITEST: undefined, NO_COLOR: '1', PATH: path }
      const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      return { code, stdout, stderr }
    },
  }
}
