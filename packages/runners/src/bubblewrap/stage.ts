import type { ScriptJob } from '@repertoire/core'
import { archive, type ArchiveEntry } from '../archive.ts'
import { foldersOf } from '../job.ts'
import { memoryBounds } from '../limits.ts'
import { HIDDEN } from './workspace.ts'
import { sandboxArguments, type SandboxView } from './arguments.ts'

const PAGE_BYTES = 4_096
const SCRATCH_FILES = 16_384

/**
 * Prepares what the sandbox shows, in mounts that only this process and its children see: nothing of it is ever on a
 * disk, and it ends with the process. `/sys` is where it stands, since every Linux has that folder, bubblewrap needs
 * nothing from it, and nobody keeps files there.
 */
export const STAGE = `
set -e
umask 022
# Bubblewrap looks there for its child, by the number that it has in this namespace.
mount -t proc proc /proc
mount -t tmpfs -o "mode=0755,size=$1,nr_inodes=$2" skill /sys
tar -x -f - -C /sys --no-same-owner <&3
exec 3<&-
mkdir -p /sys/skill /sys/scratch
: >${HIDDEN.file}
mkdir -m 000 ${HIDDEN.folder}
chmod 000 ${HIDDEN.file}
mount -t tmpfs -o "mode=0755,size=$3,nr_inodes=$4" scratch /sys/scratch
mkdir -m 1777 /sys/scratch/tmp /sys/scratch/shm
bwrap=$5
shift 5
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
  const entries: readonly ArchiveEntry[] = [
    ...files.map((file) => ({ ...file, path: `skill/${file.path}` })),
    text('passwd', 'nobody:x:65534:65534:nobody:/tmp:/bin/sh\n'),
    text('group', 'nogroup:x:65534:\n'),
    ...(view.filter === undefined ? [] : [{ path: 'seccomp', bytes: view.filter }]),
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
    folders.size + 64,
  )
  const bounds = [
    `--nproc=${limits.maxProcesses}`,
    `--fsize=${limits.maxFileBytes}`,
    '--core=0',
    ...memoryBounds(limits),
  ]
  return {
    parameters: [
      `${pages * PAGE_BYTES}`,
      `${entries.length + folders.size + 64}`,
      `${limits.maxFileBytes}`,
      `${SCRATCH_FILES}`,
      programs.bwrap,
      programs.prlimit,
      ...bounds,
      '--',
      ...command,
    ],
    archive: archive(entries),
  }
}

function text(path: string, content: string): ArchiveEntry {
  return { path, bytes: new TextEncoder().encode(content) }
}
