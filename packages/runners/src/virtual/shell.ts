import { Buffer } from 'node:buffer'
import type { Bash, BashOptions, TransformPlugin } from 'just-bash'
import type { ScriptJob } from '@repertoire/core'
import { environmentOf } from '../script-environment.ts'
import { readOnlyFiles, workspaceFiles } from './files.ts'

/** More than a script runs in the time that it has: the limits are the time, and the memory of the thread. */
const MANY = 1_000_000_000
/** As deep as the stack of a thread lets functions call themselves. */
const MAX_CALLS = 400
/** What one command may pass on to the next. */
const MAX_PIPED_CHARS = 64 * 1024 * 1024
const FOLDERS = { skill: '/skill', temporary: '/tmp', workspace: '/workspace' }

/** A command of the shell with a script, as plain data. */
export interface ShellJob extends Pick<ScriptJob, 'files' | 'environment' | 'limits'> {
  readonly command: string
  /** The script, a path in `files`, and its arguments. */
  readonly args: readonly string[]
  readonly stdin: Uint8Array | undefined
  /** A folder of the host's, which is read and never written. */
  readonly workspace: { readonly path: string; readonly hidden: readonly string[] } | undefined
}

/** What the shell counts to bound the time and the memory of a host that runs it in its own thread. */
const COUNTS = [
  'maxArrayElements',
  'maxAwkIterations',
  'maxAwkParserOperations',
  'maxCommandCount',
  'maxCsvRows',
  'maxCsvCells',
  'maxGlobOperations',
  'maxJqIterations',
  'maxLoopIterations',
  'maxQueryElements',
  'maxSedIterations',
  'maxTraversalEntries',
  'maxTraversalWork',
  'maxWorkUnits',
] as const satisfies readonly (keyof NonNullable<BashOptions['executionLimits']>)[]

type JustBash = typeof import('just-bash')

/** What the shell returned. */
export interface ShellResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly stdoutKind?: 'text' | 'bytes'
  /** Without the time that the thread takes to start. */
  readonly durationMs: number
}

/**
 * Runs a command of the shell. It is all that a thread loads: the rest of the package would cost it more than the
 * shell.
 */
export async function runShell(job: ShellJob): Promise<ShellResult | { readonly notStarted: string }> {
  const { command, args, stdin } = job
  const library = await import('just-bash').catch(() => undefined)
  if (library === undefined) return { notStarted: MISSING }
  const shell = createShell(library, job)
  const startedAt = performance.now()
  const { stdout, stderr, exitCode, stdoutKind } = await shell.exec(command, {
    args: argumentsOf(command, args),
    cwd: FOLDERS.skill,
    rawScript: true,
    ...(stdin !== undefined && { stdin: Buffer.from(stdin).toString('latin1'), stdinKind: 'bytes' as const }),
  })
  return {
    stdout,
    // Its advice is for a program that uses the shell directly.
    stderr: stderr.replaceAll(/, increase executionLimits\.\w+/g, ' in the virtual shell'),
    exitCode,
    stdoutKind,
    durationMs: Math.round(performance.now() - startedAt),
  }
}

/** The script and its arguments. Its JavaScript has no program as `process.argv[0]`: the script stands there twice. */
function argumentsOf(command: string, [script = '', ...args]: readonly string[]): string[] {
  const path = `${FOLDERS.skill}/${script}`
  return command === 'js-exec' ? [path, path, ...args] : [path, ...args]
}

function createShell({ Bash, InMemoryFs, MountableFs, OverlayFs }: JustBash, job: ShellJob): Bash {
  const { files, limits, workspace } = job
  const skill = new InMemoryFs()
  for (const { path, bytes, executable } of files)
    skill.writeFileSync(`/${path}`, bytes, undefined, { mode: executable ? 0o555 : 0o444 })
  const base = new InMemoryFs({}, { maxTotalBytes: limits.maxFileBytes })
  base.mkdirSync(FOLDERS.temporary, { recursive: true })
  const fs = new MountableFs({ base })
  fs.mount(FOLDERS.skill, readOnlyFiles(skill))
  if (workspace !== undefined) {
    // It follows no link, and keeps in memory what is written.
    const overlay = new OverlayFs({
      root: workspace.path,
      mountPoint: '/',
      maxMemoryBytes: limits.maxFileBytes,
      maxFileReadSize: 0,
    })
    fs.mount(FOLDERS.workspace, workspaceFiles(overlay, workspace.hidden))
  }
  const shell = new Bash({
    fs,
    cwd: FOLDERS.skill,
    env: environmentOf(job, { ...FOLDERS, workspace: workspace && FOLDERS.workspace }, '/usr/bin:/bin'),
    python: true,
    javascript: true,
    executionLimits: {
      maxExecutionTimeMs: limits.timeout,
      maxPythonTimeoutMs: limits.timeout,
      maxJsTimeoutMs: limits.timeout,
      maxSqliteTimeoutMs: limits.timeout,
      maxCallDepth: MAX_CALLS,
      ...Object.fromEntries(COUNTS.map((name) => [name, MANY])),
      // More than is kept, since it bounds each command of a pipeline, too; a flood ends the script.
      maxOutputSize: MAX_PIPED_CHARS + limits.maxOutputBytes,
    },
  })
  shell.registerTransformPlugin(namedSource)
  return shell
}

const MISSING =
  'The virtual runner needs the package "just-bash", which could not be loaded. Install it beside @repertoire/runners: npm install just-bash.'

/**
 * Puts the name of a script where it asks for `BASH_SOURCE`, which the shell leaves empty: it is how scripts find the
 * files beside them. In a file that is sourced it stays empty.
 */
const namedSource: TransformPlugin = {
  name: 'named-source',
  transform({ ast }) {
    rename(ast)
    return { ast }
  },
}

function rename(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) rename(each)
  if ('type' in value && value.type === 'ParameterExpansion' && 'parameter' in value)
    if (value.parameter === 'BASH_SOURCE' || value.parameter === 'BASH_SOURCE[0]') value.parameter = '0'
}
