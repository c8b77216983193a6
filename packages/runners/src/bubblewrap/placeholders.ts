import { execa } from 'execa'
import { SkillError, type Workspace } from '@repertoire/core'
import { type ContainmentPrograms, type Identity, identityOptions } from '../process/contained.ts'
import { SYSTEM_FOLDERS } from '../process/programs.ts'
import { protectedPaths } from './workspace.ts'

/** How long other runs may take to prepare the same workspace, or to tidy it. A shorter time limit of a job wins. */
const MAX_LOCK_MS = 5_000

/**
 * Makes placeholders, reads its input until that ends, which also happens when the host is killed, and then removes
 * what runs have made and listed in the lock file, as far as it is still empty.
 *
 * The locks are in a folder that scripts do not see, so no script can hold them. The first is held while placeholders
 * are made or removed. The second is shared while sandboxes run: a placeholder that is removed while another sandbox
 * has it mounted would lose its protection there.
 */
const SCRIPT = `
locks=/tmp/repertoire-$(id -u)
mkdir -m 700 "$locks" 2>/dev/null
if [ ! -d "$locks" ] || [ -L "$locks" ] || [ ! -O "$locks" ]; then echo "the folder $locks belongs to another user" >&2; exit 1; fi
lock=$locks/$(stat -c %d-%i .)
exec 8>>"$lock.prepare" 9>>"$lock" || exit 1
seconds=$1
shift
if ! flock -x -w "$seconds" 8 || ! flock -s -w "$seconds" 9; then
  echo "another run has been preparing it for $seconds seconds; try again" >&2
  exit 1
fi
make() {
  [ -e "$2" ] && return 0
  ( make d "\${2%/*}" ) || return 1
  if [ "$1" = d ]; then mkdir -- "$2"; else : >>"$2"; fi && echo "$2" >&9
}
for kind_path do
  make "\${kind_path%%:*}" "./\${kind_path#*:}" || exit 1
done
flock -u 8
echo ready
while read -r _; do :; done
flock -x -w "$seconds" 8 && flock -n -x 9 || exit 0
sort -ru "$lock" | while read -r path; do
  case $path in ./*) ;; *) continue ;; esac
  if [ -L "$path" ]; then continue; elif [ -d "$path" ]; then rmdir -- "$path"; elif [ -f "$path" ] && [ ! -s "$path" ]; then rm -f -- "$path"; fi
done 2>/dev/null
: >"$lock"
`

/** What stands in for protected paths that are not there, while sandboxes run. */
export interface Placeholders {
  /** Removes them, unless another sandbox still needs them. */
  remove(): Promise<void>
}

/**
 * Puts an empty file or folder where a protected path is not there: only what is there can be mounted read-only.
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export async function placePlaceholders(
  { setpriv, sh }: ContainmentPrograms,
  identity: Identity | undefined,
  workspace: Workspace,
  timeoutMs: number,
): Promise<Placeholders> {
  const paths = protectedPaths(workspace).map((entry) => `${entry.isFolder ? 'd' : 'f'}:${entry.path}`)
  // With the rights of the sandbox: whatever stands in the workspace by now, nothing else can be reached.
  const words = [
    ...identityOptions(identity),
    '--',
    sh,
    '-c',
    SCRIPT,
    'sh',
    `${Math.min(MAX_LOCK_MS, timeoutMs) / 1_000}`,
    ...paths,
  ]
  const child = execa(setpriv, words, {
    cwd: workspace.path,
    env: { PATH: SYSTEM_FOLDERS.join(':'), LC_ALL: 'C' },
    extendEnv: false,
    reject: false,
    // A signal to the host's group must not end what cleans up after it.
    detached: true,
    cleanup: false,
    buffer: { stdout: false, stderr: true },
    stdio: 'pipe',
  })
  const isReady = await Promise.race([
    new Promise<true>((resolve) => child.stdout.once('data', () => resolve(true))),
    child.then(() => false as const),
  ])
  if (!isReady) {
    const { stderr } = await child
    throw new SkillError(
      'SCRIPT_NOT_STARTED',
      `The protected paths of the workspace "${workspace.path}" could not be prepared: ${stderr || 'no reason was given'}.`,
    )
  }
  return {
    async remove() {
      child.stdin.end()
      await child
    },
  }
}
