import { type ScriptEnd, type ScriptJob, type ScriptResult, SkillError, type Workspace } from '@repertoire/core'
import { execa } from 'execa'
import { contained, type Identity } from '../process/contained.ts'
import { settle } from '../process/settle.ts'
import type { SandboxView } from './arguments.ts'
import { placePlaceholders } from './placeholders.ts'
import { type Programs, SYSTEM_FOLDERS } from '../process/programs.ts'
import { stage, STAGE } from './stage.ts'
import { protectedPaths, refuseLinks } from './workspace.ts'

const MAX_REASON_CHARACTERS = 500
/** Bubblewrap takes 9,000 words. */
const MAX_SPECIAL = 500

/** What a sandbox needs of a job. */
type Started = Pick<ScriptJob, 'files' | 'stdin' | 'environment' | 'network' | 'limits' | 'signal'>

/** What was found when the runner was opened. */
export interface Sandbox {
  readonly programs: Programs
  readonly identity?: Identity
  readonly view: SandboxView
}

/**
 * Runs a command in a new sandbox.
 * @throws {SkillError} SCRIPT_NOT_STARTED: the sandbox could not be built
 */
export async function startSandbox(sandbox: Sandbox, job: Started, command: readonly string[]): Promise<ScriptResult> {
  const { programs, identity, view } = sandbox
  if (view.workspace === undefined) return runStaged(sandbox, job, command)
  const workspace = job.network ? view.workspace : await withoutSpecialFiles(view.workspace, programs, job)
  const shown = { programs, identity, view: { ...view, workspace } }
  refuseLinks(workspace)
  if (workspace.access !== 'write' || protectedPaths(workspace).length === 0) return runStaged(shown, job, command)
  const placeholders = await placePlaceholders(programs, identity, workspace, job.limits.timeout)
  try {
    return await runStaged(shown, job, command)
  } finally {
    await placeholders.remove()
  }
}

/**
 * The workspace without its sockets, named pipes and devices: through them, a script without the network would reach
 * programs of the host.
 * @throws {SkillError} SCRIPT_NOT_STARTED: they could not be found, or are too many to hide
 */
async function withoutSpecialFiles(workspace: Workspace, { find }: Programs, job: Started): Promise<Workspace> {
  const { stdout, exitCode, failed } = await execa(
    find,
    ['.', '!', '-type', 'f', '!', '-type', 'd', '!', '-type', 'l', '-print0'],
    { cwd: workspace.path, extendEnv: false, reject: false, timeout: job.limits.timeout, cancelSignal: job.signal },
  )
  // It fails with an exit code where a folder cannot be read, as scripts cannot read it either.
  if (failed && exitCode === undefined)
    throw new SkillError(
      'SCRIPT_NOT_STARTED',
      `The workspace "${workspace.path}" could not be searched for sockets and named pipes in time. Name a smaller folder.`,
    )
  const found = stdout.split('\0').flatMap((path) => (path === '' ? [] : [path.slice('./'.length)]))
  const odd = found.filter((path) => path.includes('\uFFFD'))
  if (found.length <= MAX_SPECIAL && odd.length === 0)
    return { ...workspace, hide: [...(workspace.hide ?? []), ...found] }
  throw new SkillError(
    'SCRIPT_NOT_STARTED',
    `The workspace "${workspace.path}" holds ${found.length} sockets, named pipes and devices, and at most ${MAX_SPECIAL}, with names in UTF-8, can be kept from scripts: ${[...odd, ...found].slice(0, 3).join(', ')}, …`,
  )
}

async function runStaged(
  { programs, identity, view }: Sandbox,
  job: Started,
  command: readonly string[],
): Promise<ScriptResult> {
  const { parameters, archive } = stage(job, view, programs, command)
  const [file, ...args] = contained(programs, { identity, unshare: ['--user', '--map-root-user', '--mount'] }, [
    programs.sh,
    '-c',
    STAGE,
    'sh',
    ...parameters,
  ])
  const settled = await settle(
    // Nothing of the job's environment reaches what builds the sandbox, and nothing of the host's reaches either.
    { file, args, folder: '/', environment: { PATH: SYSTEM_FOLDERS.join(':'), LC_ALL: 'C' }, archive },
    job,
  )
  const { killed, signalName, status, stdout, stderr, dropped, durationMs } = settled
  const exitCode = exitCodeOf(status)
  const end: ScriptEnd = killed ?? (exitCode !== undefined ? 'exited' : 'signalled')
  if (end === 'signalled' && signalName === undefined) {
    const cause = Buffer.from(stderr).toString().trim().slice(0, MAX_REASON_CHARACTERS) || 'it gave no reason'
    throw new SkillError('SCRIPT_NOT_STARTED', `The sandbox could not be built: ${cause}`, { cause })
  }
  const by = { exitCode: killed ? undefined : exitCode, signalName: end === 'signalled' ? signalName : undefined }
  return { end, ...by, stdout, stderr, dropped, durationMs }
}

/** Bubblewrap says how its command ended, as JSON, and nothing if the command did not start. */
function exitCodeOf(status: string): number | undefined {
  const [, code] = /"exit-code" *: *(\d+)/.exec(status) ?? []
  return code === undefined ? undefined : Number(code)
}
