import { Buffer } from 'node:buffer'
import type { Bash, IFileSystem, OverlayFs, TransformPlugin } from 'just-bash'
import type { ScriptJob } from '@repertoire/core'
import { withoutPaths } from './without-paths.ts'

/** More than a script runs in the time that it has: the limit is the time. */
const MAX_STEPS = 1_000_000_000
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
  return { stdout, stderr, exitCode, stdoutKind, durationMs: Math.round(performance.now() - startedAt) }
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
  fs.mount(FOLDERS.skill, readOnly(skill))
  if (workspace !== undefined) {
    // It follows no link, and keeps in memory what is written.
    const overlay = new OverlayFs({ root: workspace.path, mountPoint: '/', maxMemoryBytes: limits.maxFileBytes })
    fs.mount(FOLDERS.workspace, withoutPaths(withoutLinks(overlay), workspace.hidden))
  }
  const shell = new Bash({
    fs,
    cwd: FOLDERS.skill,
    env: environmentOf(job),
    python: true,
    javascript: true,
    executionLimits: {
      maxExecutionTimeMs: limits.timeout,
      maxPythonTimeoutMs: limits.timeout,
      maxJsTimeoutMs: limits.timeout,
      maxSqliteTimeoutMs: limits.timeout,
      maxCommandCount: MAX_STEPS,
      maxLoopIterations: MAX_STEPS,
      maxWorkUnits: MAX_STEPS,
      // More than is kept, since it bounds each command of a pipeline, too; a flood ends the script.
      maxOutputSize: MAX_PIPED_CHARS + limits.maxOutputBytes,
    },
  })
  shell.registerTransformPlugin(namedSource)
  return shell
}

const MISSING =
  'The virtual runner needs the package "just-bash", which could not be loaded. Install it beside @repertoire/runners: npm install just-bash.'

function environmentOf({ environment, workspace }: ShellJob): Record<string, string> {
  return {
    ...environment,
    PATH: '/usr/bin:/bin',
    HOME: FOLDERS.temporary,
    TMPDIR: FOLDERS.temporary,
    SKILL_DIR: FOLDERS.skill,
    ...(workspace !== undefined && { WORKSPACE_DIR: FOLDERS.workspace }),
  }
}

/**
 * Puts the name of a script where it asks for `BASH_SOURCE`, which the shell leaves empty: it is how scripts find the files
 * beside them. In a file that is sourced it stays empty.
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

/** All that only reads. What a later version adds is taken for a change until it is known. */
const READS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>([
  'readFile',
  'readFileBytes',
  'readFileBuffer',
  'exists',
  'stat',
  'lstat',
  'readdir',
  'readdirWithFileTypes',
  'getAllPaths',
  'resolvePath',
  'readlink',
  'realpath',
])

/** The same files, which cannot be changed. */
function readOnly<FileSystem extends IFileSystem>(files: FileSystem): FileSystem {
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (READS.has(name)) return value.bind(target)
      return (path: unknown) => Promise.reject(new Error(`EROFS: read-only file system, '${String(path)}'`))
    },
  })
}

/**
 * The same files, with links left out of what is listed: none is followed, and one that is listed and cannot be opened
 * makes Python list nothing of its folder.
 */
function withoutLinks(files: OverlayFs): OverlayFs {
  const listed: OverlayFs['readdirWithFileTypes'] = async (path) =>
    (await files.readdirWithFileTypes(path)).filter(({ isSymbolicLink }) => !isSymbolicLink)
  const replaced: Partial<Record<PropertyKey, unknown>> = {
    readdirWithFileTypes: listed,
    readdir: async (path: string) => (await listed(path)).map(({ name }) => name),
  } satisfies Partial<OverlayFs>
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = replaced[name] ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
