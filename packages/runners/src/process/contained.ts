import process from 'node:process'

/** The programs of util-linux that the words below name, by their full paths. */
export interface ContainmentPrograms {
  readonly setpriv: string
  readonly sh: string
  readonly unshare: string
}

/** Whose rights the program gets. Absent: those of the host. */
export interface Identity {
  readonly uid: number
  readonly gid: number
}

/** What to isolate beside processes. */
export interface Containment {
  readonly identity?: Identity
  /** Options of `unshare`. */
  readonly unshare: readonly string[]
}

/**
 * The words that start a program in a process namespace that ends with this process, however this process ends, and
 * with the process that they start.
 *
 * `setpriv` has the system kill its own process when this one ends. It keeps its process through `sh` to `unshare`,
 * whose `--kill-child` does so for the first process of the namespace, and with that one the system kills all others.
 * None can be reached from inside. The shell ends where this process was gone before `setpriv` asked.
 */
export function contained(
  programs: ContainmentPrograms,
  { identity, unshare }: Containment,
  command: readonly string[],
): readonly [string, ...string[]] {
  return [
    programs.setpriv,
    ...identityOptions(identity),
    '--pdeathsig',
    'KILL',
    programs.sh,
    '-c',
    '[ "$PPID" = "$0" ] && exec "$@"',
    `${process.pid}`,
    programs.unshare,
    ...unshare,
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--',
    ...command,
  ]
}

/** The options of `setpriv` that give up the rights of the host for those of another user. */
export function identityOptions(identity: Identity | undefined): readonly string[] {
  return identity === undefined ? [] : ['--reuid', `${identity.uid}`, '--regid', `${identity.gid}`, '--clear-groups']
}
