import type { ScriptJob, Workspace } from '@repertoire/core'
import { environmentOf } from '../script-environment.ts'
import { HIDDEN, hiddenPlaces, workspaceArguments } from './workspace.ts'
import { lstatSync, readlinkSync } from 'node:fs'

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
  /** Whether a filter of system calls is known for this machine. */
  readonly isFiltered: boolean
}

/** The arguments of bubblewrap for one job, up to the command. The staging script has put the files into `/sys`. */
export function sandboxArguments(
  job: Pick<ScriptJob, 'environment' | 'network' | 'limits'>,
  { workspace, toolchains, isFiltered }: SandboxView,
): readonly string[] {
  const folders = { skill: SKILL, temporary: TEMPORARY, workspace: workspace && WORKSPACE }
  const environment = environmentOf(job, folders, searchPath(toolchains).join(':'))
  return [
    ['--unshare-user', '--unshare-all'],
    job.network ? ['--share-net'] : [],
    // The staging script has opened the filter, which forbids new namespaces too.
    isFiltered ? ['--seccomp', '6'] : ['--disable-userns'],
    ['--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    // Without a new session, a script could type into the terminal that the host was started from.
    ['--new-session', '--die-with-parent', '--clearenv'],
    Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    systemArguments(job.network),
    // Empty folders, until the toolchains in them are mounted.
    maskedFolders().flatMap((folder) => ['--tmpfs', folder]),
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

/** What interpreters need of a system: programs, libraries, and tables that say nothing about the host or its users. */
const FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']
const TABLES = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/python3',
]
/** What a program also needs to reach other machines. */
const NETWORK_TABLES = [
  '/etc/ca-certificates',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/resolv.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

/** Folders in the system's which hold sources, in many images those of the host's program. Inside they are empty. */
const MASKED_FOLDERS = ['/usr/src']

/** The arguments of bubblewrap that show the system, read-only. What is not listed here is not there. */
function systemArguments(network: boolean): readonly string[] {
  return [
    ...FOLDERS.flatMap(folderArguments),
    ...[...TABLES, ...(network ? NETWORK_TABLES : [])].flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

/** Whether `systemArguments` show what is at a real path. */
export function showsPath(path: string): boolean {
  const isIn = (folder: string): boolean => path.startsWith(`${folder}/`)
  return FOLDERS.some(isIn) && !MASKED_FOLDERS.some(isIn)
}

/** The folders to mask that are there. */
function maskedFolders(): readonly string[] {
  return MASKED_FOLDERS.filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
}

/** `/bin` is a link to `/usr/bin` on most systems, and stays one. */
function folderArguments(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
