import { execa } from 'execa'
import { SkillError } from '@repertoire/core'
import { type ContainmentPrograms, type Identity, identityOptions } from '../process/contained.ts'
import { SYSTEM_FOLDERS } from '../process/find-program.ts'
import { protectedPaths, type Workspace } from './workspace.ts'

/** How long another sandbox may hold the workspace while it puts its own placeholders there. */
const LOCK_SECONDS = 5

/**
 * Reads lines from its input until that ends, which it also does when the host is killed, and then removes what it made.
 *
 * A placeholder is empty and has a time stamp of zero, so that whoever is the last to use the workspace removes those of
 * the others too, and what a user made is never removed. The lock is shared while sandboxes run: a placeholder that is
 * removed while another sandbox has it mounted would lose its protection there.
 */
const SCRIPT = `
exec 9<. && flock -s -w "$1" 9 || exit 1
shift
for kind_path do
  kind=\${kind_path%%:*} path=./\${kind_path#*:}
  [ -e "$path" ] && continue
  folder=\${path%/*}
  made=
  while [ ! -d "$folder" ]; do made=$folder; folder=\${folder%/*}; done
  mkdir -p -- "\${path%/*}" || exit 1
  if [ "$kind" = d ]; then mkdir -- "$path"; else : >>"$path"; fi || exit 1
  touch -d @0 -- "$path" || exit 1
  at=\${path%/*}
  while [ -n "$made" ] && [ "$at" != "$folder" ]; do touch -d @0 -- "$at"; at=\${at%/*}; done
done
echo ready
while read -r _; do :; done
flock -n -x 9 || exit 0
for kind_path do
  path=./\${kind_path#*:}
  while [ "$path" != . ] && [ -e "$path" ]; do
    [ -n "$(find "$path" -prune -empty ! -newermt @0)" ] || break
    up=\${path%/*}
    before=$(stat -c %Y -- "$up")
    if [ -d "$path" ]; then rmdir -- "$path"; else rm -f -- "$path"; fi || break
    [ "$before" = 0 ] && [ "$up" != . ] && touch -d @0 -- "$up"
    path=$up
  done
done
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
): Promise<Placeholders> {
  const paths = protectedPaths(workspace).map((entry) => `${entry.isFolder ? 'd' : 'f'}:${entry.path}`)
  // With the rights of the sandbox: whatever stands in the workspace by now, nothing else can be reached.
  const words = [...identityOptions(identity), '--', sh, '-c', SCRIPT, 'sh', `${LOCK_SECONDS}`, ...paths]
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
      `The protected paths of the workspace "${workspace.path}" could not be prepared: ${stderr || 'another sandbox holds it'}.`,
    )
  }
  return {
    async remove() {
      child.stdin.end()
      await child
    },
  }
}
