import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isSkillError, type ScriptRunner, SkillError, type Workspace } from '@repertoire/core'
import { type OptionTable, checkOptions, listOf, tableOf, text } from '@repertoire/core/options'
import { createRunner } from '../runner.ts'
import { SKILL, WORKSPACE, showsPath } from './arguments.ts'
import { findPrograms } from '../process/programs.ts'
import { seccompFilter } from './seccomp.ts'
import { type Sandbox, startSandbox } from './start.ts'
import { WORKSPACE_OPTIONS, openWorkspace } from './workspace.ts'
import type { Identity } from '../process/contained.ts'

/** Options of `openBubblewrapRunner`. */
export interface BubblewrapRunnerOptions {
  /** The folder with the user's files, which scripts see as `/workspace`. Default: they see none of them. */
  readonly workspace?: Workspace | undefined
  /**
   * Folders of the host's that hold programs which are not the system's, such as a Node or a Python of the user's.
   * Scripts see them read-only at their own path, and find the programs of their `bin`. Default: none.
   */
  readonly toolchains?: readonly string[] | undefined
  /** Where bubblewrap is. Default: in one of the system's folders. */
  readonly bubblewrap?: string | undefined
}

export const BUBBLEWRAP_OPTIONS: OptionTable<BubblewrapRunnerOptions> = {
  workspace: tableOf(WORKSPACE_OPTIONS),
  toolchains: listOf(text, 'a list of folders'),
  bubblewrap: text,
}

/** Lists what can be run inside, and shows that the workspace can be read. */
const PROBE = `
for folder in $(echo "$PATH" | tr : ' '); do
  for program in "$folder"/*; do [ -x "$program" ] && [ -f "$program" ] && echo "\${program##*/}"; done
done
[ -z "\${WORKSPACE_DIR-}" ] || ls ${WORKSPACE} >/dev/null || exit 3
exit 0
`

/**
 * Opens a runner that runs each script in a sandbox of the system's bubblewrap. It is tried, not looked for: one script
 * runs before this resolves.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} SCRIPT_NOT_STARTED: no sandbox can be built here, with the reason
 */
export async function openBubblewrapRunner(options: BubblewrapRunnerOptions = {}): Promise<ScriptRunner> {
  checkOptions('openBubblewrapRunner', BUBBLEWRAP_OPTIONS, options)
  if (process.platform !== 'linux')
    throw new SkillError('SCRIPT_NOT_STARTED', `Bubblewrap exists for Linux, and this is ${process.platform}.`)
  const workspace = options.workspace === undefined ? undefined : openWorkspace(options.workspace)
  const toolchains = (options.toolchains ?? []).map(realFolder)
  for (const folder of toolchains) checkVirtualEnvironment(folder, toolchains)
  const identity = sandboxIdentity(workspace)
  if (identity !== undefined) refuseClosedFolders(identity, [...(workspace ? [workspace.path] : []), ...toolchains])
  const programs = findPrograms(options.bubblewrap)
  const isFiltered = seccompFilter(process.arch) !== undefined
  const sandbox: Sandbox = { programs, identity, view: { workspace, toolchains, isFiltered } }
  const interpreters = await probe(sandbox)
  return createRunner({
    name: 'bubblewrap',
    isolation: {
      name: 'bubblewrap',
      isolated: true,
      notes: [
        'Memory is limited for each process alone, and only where the host sets a limit. A script can evade it.',
        ...(isFiltered
          ? []
          : [`System calls are not filtered on this machine (${process.arch}), and shared memory has no limit.`]),
        'A script that may use the network reaches all that the host reaches, the ports of this machine among it.',
      ],
    },
    supports: (interpreter) =>
      interpreters.has(interpreter) ||
      `The sandbox has no "${interpreter}": it shows the programs of the system, and of the folders in "toolchains".`,
    start: (job) =>
      startSandbox(sandbox, job, [job.interpreter, ...job.interpreterArgs, `${SKILL}/${job.script}`, ...job.args]),
  })
}

/** @throws {SkillError} SCRIPT_NOT_STARTED: it is not there, or too much to show */
function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder)
    if (real !== '/') return real
    throw new Error('name the folder with the programs that scripts need')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SkillError('SCRIPT_NOT_STARTED', `The toolchain "${folder}" cannot be used: ${reason}.`, { cause })
  }
}

/**
 * Without this check, scripts would silently run with the system's Python and without the packages of the folder.
 * @throws {SkillError} SCRIPT_NOT_STARTED: a virtual environment of a Python that the sandbox lacks
 */
function checkVirtualEnvironment(folder: string, toolchains: readonly string[]): void {
  if (!existsSync(join(folder, 'pyvenv.cfg'))) return
  const link = join(folder, 'bin/python3')
  const python = existsSync(link) ? realpathSync(link) : undefined
  const home = /^home *= *(.*)$/m.exec(readFileSync(join(folder, 'pyvenv.cfg'), 'utf8'))?.[1] ?? 'another folder'
  const again = `Make it again with the system's Python: /usr/bin/python3 -m venv ${folder}`
  if (python === undefined || !(showsPath(python) || toolchains.some((shown) => python.startsWith(`${shown}/`))))
    throw new SkillError(
      'SCRIPT_NOT_STARTED',
      `The toolchain "${folder}" is a virtual environment of the Python in "${home}", which the sandbox does not show. ${again}, or add the folder of that Python to "toolchains".`,
    )
  const [version] = /python\d+\.\d+$/.exec(python) ?? []
  if (version === undefined || existsSync(join(folder, 'lib', version))) return
  throw new SkillError(
    'SCRIPT_NOT_STARTED',
    `The toolchain "${folder}" is a virtual environment of another version than its ${version} ("${python}"), which finds no package in it. ${again}.`,
  )
}

const PROBE_JOB = {
  files: [],
  environment: {},
  network: false,
  limits: { timeout: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 1_000_000 },
  signal: new AbortController().signal,
}

/** @returns the programs that can be run. @throws {SkillError} SCRIPT_NOT_STARTED: no sandbox can be built */
async function probe(sandbox: Sandbox): Promise<ReadonlySet<string>> {
  try {
    const { end, exitCode, stdout, stderr } = await startSandbox(sandbox, PROBE_JOB, ['sh', '-c', PROBE])
    if (end === 'exited' && exitCode === 0) return new Set(Buffer.from(stdout).toString().split('\n'))
    throw new Error(`a first script failed (${exitCode ?? end}): ${Buffer.from(stderr).toString()}`)
  } catch (cause) {
    // Of the workspace, such as too many sockets: the system is not at fault.
    if (isSkillError(cause) && cause.cause === undefined) throw cause
    const reason = cause instanceof Error ? cause.message.trim().replace(/\.$/, '') : String(cause)
    throw new SkillError(
      'SCRIPT_NOT_STARTED',
      `Bubblewrap does not work here. ${reason}. The system must let this user create user namespaces and mounts.`,
      { cause },
    )
  }
}

const NOBODY: Identity = { uid: 65_534, gid: 65_534 }

/**
 * Who runs the sandbox where the host is root: nobody, or the owner of the workspace. Root inside a sandbox is still
 * root to the files below `/proc/sys`, and no limit of processes holds for it.
 * @throws {SkillError} SCRIPT_NOT_STARTED: root alone could write to the workspace
 */
function sandboxIdentity(workspace: Workspace | undefined): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (workspace === undefined) return NOBODY
  const { uid, gid } = statSync(workspace.path)
  if (uid !== 0) return { uid, gid }
  if (workspace.access !== 'write') return NOBODY
  throw new SkillError(
    'SCRIPT_NOT_STARTED',
    `The workspace "${workspace.path}" belongs to root, and no sandbox runs as root. ` +
      'Run the host as an ordinary user, give the folder to one (chown), or let scripts only read it.',
  )
}

/** @throws {SkillError} SCRIPT_NOT_STARTED: whom the sandbox runs as may not enter a folder, or one above it */
function refuseClosedFolders({ uid, gid }: Identity, folders: readonly string[]): void {
  for (const folder of folders) {
    for (let at = folder; at !== '/'; at = dirname(at)) {
      const { mode, ...owner } = statSync(at)
      const entry = owner.uid === uid ? 0o100 : owner.gid === gid ? 0o010 : 0o001
      if ((mode & entry) !== 0) continue
      throw new SkillError(
        'SCRIPT_NOT_STARTED',
        `The sandbox cannot show "${folder}": this process is root, scripts run as user ${uid}, and that one may not enter "${at}". ` +
          'Run the host as an ordinary user, choose another folder, or let others enter this one (chmod o+x).',
      )
    }
  }
}
