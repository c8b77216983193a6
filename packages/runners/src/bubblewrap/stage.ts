import process from 'node:process'
import type { ScriptJob } from '@repertoire/core'
import { archive, type ArchiveEntry, type ArchiveFolder } from '../archive.ts'
import { foldersOf } from '../job.ts'
import { memoryBounds } from '../limits.ts'
import { sandboxArguments, type SandboxView } from './arguments.ts'
import { seccompFilter } from './seccomp.ts'
import { HIDDEN } from './workspace.ts'

const PAGE_BYTES = 4_096
const SCRATCH_FILES = 16_384

const STAGED = '/sys/'

const FOLDERS: readonly ArchiveFolder[] = [
  { path: 'skill', mode: 0o755 },
  { path: 'scratch', mode: 0o755 },
  { path: 'scratch/tmp', mode: 0o1777 },
  { path: 'scratch/shm', mode: 0o1777 },
  { path: HIDDEN.folder.slice(STAGED.length), mode: 0 },
]

/**
 * Prepares what the sandbox shows, in a mount that only this process and its children see: nothing of it is ever on a
 * disk, and it ends with the process. `/sys` is where it stands, since every Linux has that folder, bubblewrap needs
 * nothing from it, and no one keeps files there.
 *
 * One mount holds the files and what the script writes, since each program that starts here is paid for by every run:
 * the files have their places before the script starts, so what is left of its size is the script's.
 */
export const STAGE = `
set -e
umask 022
# Bubblewrap looks there for its child, by the number that it has in this namespace.
mount -t proc proc /proc
mount -t tmpfs -o "mode=0755,size=$1,nr_inodes=$2" skill /sys
tar -x -p -f - -C /sys --no-same-owner <&3
exec 3<&-
bwrap=$3
shift 3
if [ -e /sys/seccomp ]; then exec 6</sys/seccomp; fi
exec "$bwrap" --json-status-fd 4 --args 5 5</sys/arguments -- "$@"
`

/** What the staging script gets. */
export interface Staged {
  /** Its positional parameters. */
  readonly parameters: readonly string[]
  readonly archive: Uint8Array
}

export function stage(
  job: Pick<ScriptJob, 'files' | 'environment' | 'network' | 'limits'>,
  view: SandboxView,
  programs: { readonly bwrap: string; readonly prlimit: string },
  command: readonly string[],
): Staged {
  const { files, limits } = job
  const filter = seccompFilter(process.arch, {
    boundsMemory: limits.maxMemoryBytes !== undefined,
    network: job.network,
  })
  const entries: readonly ArchiveEntry[] = [
    ...files.map((file) => ({ ...file, path: `skill/${file.path}` })),
    text('passwd', 'nobody:x:65534:65534:nobody:/tmp:/bin/sh\n'),
    text('group', 'nogroup:x:65534:\n'),
    { path: HIDDEN.file.slice(STAGED.length), bytes: new Uint8Array(), mode: 0 },
    ...(filter === undefined ? [] : [{ path: 'seccomp', bytes: filter }]),
    // Not in the command line of bubblewrap, which every user of the machine can read.
    text(
      'arguments',
      sandboxArguments(job, view)
        .map((word) => `${word}\0`)
        .join(''),
    ),
  ]
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)))
  const pages = entries.reduce(
    (sum, { bytes }) => sum + Math.ceil(bytes.byteLength / PAGE_BYTES) + 1,
    folders.size + FOLDERS.length + 1,
  )
  const bounds = [
    `--nproc=${limits.maxProcesses}`,
    `--fsize=${limits.maxFileBytes}`,
    '--core=0',
    ...memoryBounds(limits),
  ]
  return {
    parameters: [
      `${pages * PAGE_BYTES + limits.maxFileBytes}`,
      `${entries.length + folders.size + SCRATCH_FILES}`,
      programs.bwrap,
      programs.prlimit,
      ...bounds,
      '--',
      ...command,
    ],
    archive: archive(entries, FOLDERS),
  }
}

function text(path: string, content: string): ArchiveEntry {
  return { path, bytes: new TextEncoder().encode(content) }
}
