import type { WellKnownTool } from './well-known.ts'

/** What a tool is called for that runs commands. */
const SHELLS: ReadonlySet<string> = new Set('shell bash zsh sh terminal powershell pwsh'.split(' '))

/** The same, where a verb says that it runs them: `run_command`, and not `list_commands`. */
const COMMANDS: ReadonlySet<string> = new Set('command commands cmd process'.split(' '))
const VERBS: ReadonlySet<string> = new Set('run exec execute invoke start send spawn launch'.split(' '))

/** Words beside these that say where it runs them (and the first half of `PowerShell`). With any other word the name may mean something else. */
const OTHERS: ReadonlySet<string> = new Set(
  'power in on to at the a local remote background system os host computer machine sandbox line tool developer'.split(
    ' ',
  ),
)

const RUNNER: WellKnownTool = {
  names: [],
  maybe: ['Bash'],
  argument: { argument: ['command', 'cmd', 'commands', 'command_line', 'commandLine', 'script'], kind: 'shell' },
}

/**
 * What is known of a tool whose name says that it runs commands, although nothing else is known of it, such as
 * `run_in_terminal` or `executeShellCommand`: a rule that denies commands may mean it.
 */
export function commandRunner(name: string): WellKnownTool | undefined {
  const words = nameWords(name)
  const runs = words.some((word) => VERBS.has(word))
  const isShell = words.some((word) => SHELLS.has(word) || (runs && COMMANDS.has(word)))
  const isNothingElse = words.every((word) => [SHELLS, COMMANDS, VERBS, OTHERS].some((known) => known.has(word)))
  return isShell && isNothingElse ? RUNNER : undefined
}

/** The words of a tool's name: `mcp__fs__moveFile` is mcp, fs, move, file; `FSMove` is fs, move. */
export function nameWords(name: string): readonly string[] {
  const parts = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
  return parts
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}
