import { Buffer } from 'node:buffer'
import * as nodeModule from 'node:module'
import type { Bash } from 'just-bash'
import { type ScriptJob, type ScriptResult, type ScriptRunner, SkillError } from '@repertoire/core'
import { cutOutput } from '../output.ts'
import { createRunner } from '../runner.ts'
import { missingCommands } from './missing-commands.ts'
import { readOnly } from './read-only.ts'

/** How long the shell may take to notice that its time is over: it looks between two steps. */
const GRACE_MS = 2_000
/** More than a script runs in the time that it has: the limit is the time. */
const MAX_STEPS = 1_000_000_000
const FOLDERS = { skill: '/skill', temporary: '/tmp' }

/** What stands for an interpreter in the virtual shell. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['python', 'python3'],
  ['python3', 'python3'],
  ['node', 'js-exec'],
])

/**
 * A runner in this process: a shell written in TypeScript, with Python and JavaScript in WebAssembly, over files in
 * memory. A script sees no file, process, variable or network of the host's, and can use none of the host's programs.
 * It needs the package `just-bash`.
 */
export function virtualRunner(): ScriptRunner {
  return createRunner({
    name: 'virtual',
    isolation: {
      name: 'virtual shell',
      isolated: true,
      notes: [
        'It has the common commands and none of the programs of a system: no git, curl, pip or npm, no trap, mktemp or kill, no network.',
        'Python has its standard library without processes, threads, TLS and SQLite, and imports no module of the skill.',
        'It runs in the process of the host: memory is not limited for Python, and what a script had written is lost when its time is over.',
      ],
    },
    supports,
    start,
  })
}

function supports(interpreter: string, args: readonly string[] = []): true | string {
  if (!COMMANDS.has(interpreter))
    return `The virtual shell has no "${interpreter}": it runs ${[...COMMANDS.keys()].join(', ')}.`
  if (interpreter === 'node' && typeof nodeModule.stripTypeScriptTypes !== 'function')
    return 'The virtual shell runs scripts for "node" on Node 22.13 and later.'
  if (args.length > 0)
    return `The virtual shell takes no arguments for "${interpreter}" itself: ${args.join(' ')}. Remove them from the first line of the script.`
  return true
}

async function start(job: ScriptJob): Promise<ScriptResult> {
  const command = COMMANDS.get(job.interpreter) ?? job.interpreter
  const shell = await createShell(job)
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(job.limits.timeoutMs)
  const ended = AbortSignal.any([job.signal, timeout])
  const result = await Promise.race([
    shell.exec(command, {
      args: [`${FOLDERS.skill}/${job.script}`, ...job.args],
      cwd: FOLDERS.skill,
      rawScript: true,
      ...(job.stdin !== undefined && { stdin: Buffer.from(job.stdin).toString('latin1'), stdinKind: 'bytes' as const }),
      signal: ended,
    }),
    afterGrace(ended),
  ])
  const durationMs = Math.round(performance.now() - startedAt)
  const { maxOutputBytes } = job.limits
  const killed = ended.aborted || durationMs >= job.limits.timeoutMs
  const stdout = result === undefined ? new Uint8Array() : bytesOf(result.stdout, result.stdoutKind === 'bytes')
  const stderr = result === undefined || killed ? '' : result.stderr
  const output = cutOutput(stdout, Buffer.from(stderr + missingCommands(stderr)), maxOutputBytes)
  if (job.signal.aborted && !timeout.aborted) return { end: 'aborted', ...output, durationMs }
  if (killed || result === undefined) return { end: 'timed-out', ...output, durationMs }
  return { end: 'exited', exitCode: result.exitCode, ...output, durationMs }
}

async function createShell(job: ScriptJob): Promise<Bash> {
  const { files, limits } = job
  const { Bash, InMemoryFs, MountableFs } = await loadShell()
  const skill = new InMemoryFs()
  for (const { path, bytes, executable } of files)
    skill.writeFileSync(`/${path}`, bytes, undefined, { mode: executable ? 0o555 : 0o444 })
  const base = new InMemoryFs({}, { maxTotalBytes: limits.maxFileBytes })
  base.mkdirSync(FOLDERS.temporary, { recursive: true })
  const fs = new MountableFs({ base })
  fs.mount(FOLDERS.skill, readOnly(skill))
  return new Bash({
    fs,
    cwd: FOLDERS.skill,
    env: environmentOf(job),
    python: true,
    javascript: true,
    executionLimits: {
      maxExecutionTimeMs: limits.timeoutMs,
      maxPythonTimeoutMs: limits.timeoutMs,
      maxJsTimeoutMs: limits.timeoutMs,
      maxSqliteTimeoutMs: limits.timeoutMs,
      maxCommandCount: MAX_STEPS,
      maxLoopIterations: MAX_STEPS,
      maxWorkUnits: MAX_STEPS,
      // More than is kept, so that what is cut off can be counted; a flood ends the script.
      maxOutputSize: 2 * limits.maxOutputBytes,
    },
  })
}

async function loadShell(): Promise<typeof import('just-bash')> {
  try {
    return await import('just-bash')
  } catch (cause) {
    throw new SkillError(
      'SCRIPT_NOT_STARTED',
      'The virtual runner needs the package "just-bash", which could not be loaded. Install it beside @repertoire/runners: npm install just-bash.',
      { cause },
    )
  }
}

function environmentOf({ environment }: ScriptJob): Record<string, string> {
  return {
    ...environment,
    PATH: '/usr/bin:/bin',
    HOME: FOLDERS.temporary,
    TMPDIR: FOLDERS.temporary,
    SKILL_DIR: FOLDERS.skill,
  }
}

/** The shell gives text, or bytes as one character each. */
function bytesOf(output: string, isBinary: boolean): Uint8Array {
  return Buffer.from(output, isBinary ? 'latin1' : 'utf8')
}

function afterGrace(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = (): unknown => setTimeout(() => resolve(undefined), GRACE_MS).unref()
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
}
