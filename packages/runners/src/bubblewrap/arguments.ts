import type { ScriptJob } from '@repertoire/core'
import type { SystemCallFilters } from './seccomp.ts'
import { maskArguments, maskedFolders, showsPath, systemArguments } from './system-folders.ts'
import { HIDDEN, hiddenPlaces, workspaceArguments, type Workspace } from './workspace.ts'

/** Where a script finds what. */
export const SKILL = '/skill'
const TEMPORARY = '/tmp'
export const WORKSPACE = '/workspace'

/** Inside, everything belongs to this user, whoever runs it outside. */
const NOBODY = '65534'

/** What one sandbox shows. */
export interface SandboxView {
  readonly workspace?: Workspace
  /** Folders of the host's with programs. */
  readonly toolchains: readonly string[]
  /** Whether this bubblewrap can forbid user namespaces inside. */
  readonly forbidsNamespaces: boolean
  /** The filters of system calls. Absent: none is known for this machine. */
  readonly filters?: SystemCallFilters
}

/** The arguments of bubblewrap for one job, up to the command. The staging script has put the files into `/sys`. */
export function sandboxArguments(
  job: Pick<ScriptJob, 'environment' | 'network' | 'limits'>,
  { workspace, toolchains, forbidsNamespaces, filters }: SandboxView,
): readonly string[] {
  const environment = {
    ...job.environment,
    PATH: searchPath(toolchains).join(':'),
    HOME: TEMPORARY,
    TMPDIR: TEMPORARY,
    SKILL_DIR: SKILL,
    ...(workspace !== undefined && { WORKSPACE_DIR: WORKSPACE }),
  }
  return [
    ['--unshare-user', '--unshare-all'],
    job.network ? ['--share-net'] : [],
    forbidsNamespaces ? ['--disable-userns'] : [],
    // The staging script has opened it.
    filters === undefined ? [] : ['--seccomp', '6'],
    ['--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    // Without a new session, a script could type into the terminal that the host was started from.
    ['--new-session', '--die-with-parent', '--clearenv'],
    Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    systemArguments(job.network),
    maskArguments(),
    ['--ro-bind', '/sys/passwd', '/etc/passwd'],
    ['--ro-bind', '/sys/group', '/etc/group'],
    ['--proc', '/proc'],
    // Both `/dev` and `/` are file systems in memory without a limit, until they are read-only.
    ['--dev', '/dev'],
    ['--bind', '/sys/scratch/shm', '/dev/shm'],
    // A shared mapping of it is memory that no limit counts.
    job.limits.maxMemoryBytes === undefined ? [] : ['--ro-bind', HIDDEN.file, '/dev/zero'],
    // By `/proc/self/mem` a process fills mappings that are read-only, which no limit counts either.
    job.limits.maxMemoryBytes === undefined ? [] : ['--remount-ro', '/proc'],
    ['--remount-ro', '/dev'],
    ['--ro-bind', '/sys/skill', SKILL],
    ['--bind', '/sys/scratch/tmp', TEMPORARY],
    workspace === undefined ? [] : workspaceArguments(workspace, WORKSPACE),
    // After `/tmp`, which may hold one.
    toolchains.flatMap((folder) => ['--ro-bind', folder, folder]),
    workspace === undefined ? [] : hiddenElsewhere(workspace, toolchains),
    maskedFolders().flatMap((folder) => ['--remount-ro', folder]),
    ['--chdir', SKILL, '--remount-ro', '/'],
  ].flat()
}

/** What is hidden in the workspace, where it lies in a folder that is shown at its own path too. */
function hiddenElsewhere(workspace: Workspace, toolchains: readonly string[]): readonly string[] {
  return hiddenPlaces(workspace)
    .filter(({ path }) => showsPath(path) || toolchains.some((folder) => `${path}/`.startsWith(`${folder}/`)))
    .flatMap(({ path, standIn }) => ['--ro-bind', standIn, path])
}

/** Where programs are looked for inside. */
function searchPath(toolchains: readonly string[]): readonly string[] {
  return [...toolchains.map((folder) => `${folder}/bin`), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
}
