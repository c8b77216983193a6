import { bundled } from '@repertoire/test-servers'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import type { Stream } from '../src/output/output.ts'
import { type Surroundings, run } from '../src/program.ts'

// Every run of the command is a process; on a busy machine some of them take seconds.
vi.setConfig({ testTimeout: 120_000 })

/** What came of a run of the command. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Where and how the command runs. */
export interface RunOptions {
  readonly cwd: string
  /** Added to an environment of nothing but `PATH`, a home folder that is not there, and no enterprise folder. */
  readonly env?: Readonly<Record<string, string>>
  /** Runs these sources instead of the package's own. */
  readonly main?: string
}

/** The command's own entry. */
export const MAIN = bundled(fileURLToPath(new URL('../src/main.ts', import.meta.url)))
/** How Node runs it, without its name. */
export const NODE_ARGS = ['--conditions=@repertoire/source'] as const

/** Runs the command as its own process. */
export function repertoire(args: readonly string[], { cwd, env, main = MAIN }: RunOptions): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...NODE_ARGS, main, ...args],
      { cwd, env: cleanEnv(env), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

// LangSmith's client asks for a home folder, and a user without an entry in the system's list has none but this.
const NO_HOME = join(tmpdir(), 'repertoire-no-home')

/** An environment in which nothing of the machine's own shows. */
export function cleanEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  return { NODE_COMPILE_CACHE, PATH, HOME: NO_HOME, ...env }
}

/** What surrounds a run of the command in this process. */
export interface InProcessOptions {
  /** Its streams are terminals, of this width. */
  readonly terminal?: { readonly columns?: number }
  /** What it reads from its standard input. Absent: it has none. */
  readonly input?: string
}

/** Runs the command in this process: quicker, and on streams that can be said to be terminals of some width. */
export async function inProcess(
  args: readonly string[],
  { cwd, env, terminal, input }: Omit<RunOptions, 'main'> & InProcessOptions,
): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const typed = terminal === undefined ? Readable.from([input ?? '']) : new Readable({ read: () => {} })
  const stdin = input === undefined ? undefined : Object.assign(typed, { isTTY: terminal !== undefined })
  const stream = (name: keyof typeof written): Stream => ({
    isTTY: terminal !== undefined,
    ...terminal,
    on: () => {},
    write: (text, done) => {
      const shown = typeof text === 'string' ? text : new TextDecoder().decode(text)
      written[name] += shown
      // A person types below the question.
      if (terminal !== undefined && name === 'stderr' && shown.includes('[y/N]'))
        for (const part of [input, null]) stdin?.push(part)
      done()
    },
  })
  const surroundings: Surroundings = {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: cleanEnv(env),
    cwd: () => cwd,
    stdin,
  }
  const code = await run(args, surroundings)
  return { code, ...written }
}

/** An empty folder for one test, by its real path. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-cli-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files below a folder: relative path → content. */
export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

/** A SKILL.md. */
export function manifest(name: string, more = '', description = `What ${name} is for.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nDo it.\n`
}
