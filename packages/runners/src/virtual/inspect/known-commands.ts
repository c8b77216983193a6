/** What the shell itself has, beside its commands. It was tried, one by one. */
const BUILTINS =
  '. : [ alias break builtin cd command compgen complete compopt continue declare dirs echo eval exec exit export false ' +
  'getopts hash help history let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt ' +
  'source test true type typeset unalias unset wait'

/** Commands that start another one, with what stands before its name. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ['command', /^-p$|^--$/],
  ['exec', /^--$/],
  ['time', /^-p$|^--$/],
  ['env', /^-|^\w+=/],
  ['timeout', /^-|^[\d.]+[smhd]?$/],
  ['xargs', /^-/],
])

export type ShellModule = Pick<
  typeof import('just-bash'),
  'getCommandNames' | 'getPythonCommandNames' | 'getJavaScriptCommandNames'
>

export function knownCommands(shell: ShellModule): ReadonlySet<string> {
  return new Set([
    ...BUILTINS.split(' '),
    ...shell.getCommandNames(),
    ...shell.getPythonCommandNames(),
    // `node` is there, and only says that it is not.
    ...shell.getJavaScriptCommandNames().filter((name) => name !== 'node'),
  ])
}

/** The program that a command starts, if it starts another one; undefined if it starts none, or if it is unknown. */
export function startedBy(name: string, args: readonly string[]): string | undefined {
  const before = WRAPPERS.get(name)
  return before === undefined ? undefined : args.find((arg) => !before.test(arg))
}
