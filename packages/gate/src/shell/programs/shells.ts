import { list, type Program } from './program.ts'

/** Shells, and what else is given command lines. */
export const SHELLS: readonly Program[] = [
  {
    names: list('bash sh dash ash zsh ksh mksh rbash fish csh tcsh nu'),
    namesScript: true,
    runsCode: true,
    runsShell: true,
    examples: { refused: ['bash', 'bash x.sh', 'bash -c id'], mutates: [["bash -c 'rm -r a'", 'a']] },
  },
  {
    names: list('powershell pwsh'),
    exactOnly: 'runs-programs',
    runsCode: true,
    runsShell: true,
    examples: { refused: ['pwsh -c id'], mutates: [['pwsh -c rm -r a', 'a']] },
  },
  {
    names: ['cmd'],
    exactOnly: 'runs-programs',
    runsCode: true,
    runsShell: true,
    wraps: {},
    examples: { refused: ['cmd /c dir'], mutates: [['cmd /c rd /s /q a', 'a']] },
  },
  {
    names: ['eval'],
    exactOnly: 'shell-builtin',
    runsShell: true,
    examples: { refused: ['eval id'], mutates: [['eval rm -r a', 'a']] },
  },
  {
    names: ['trap'],
    exactOnly: 'shell-builtin',
    runsShell: true,
    examples: { refused: ['trap id EXIT'], mutates: [["trap 'rm -r a' EXIT", 'a']] },
  },
  // `su` and its like hand their words to the shell of another user.
  {
    names: ['su'],
    exactOnly: 'runs-programs',
    runsShell: true,
    examples: { refused: ['su -c id'], mutates: [["su u -c 'rm -r a'", 'a']] },
  },
  {
    names: ['at', 'batch'],
    exactOnly: 'runs-programs',
    runsShell: true,
    examples: { refused: ['at now'], mutates: [['at now <<EOF\nrm -r a\nEOF', 'a']] },
  },
  {
    names: ['tmux', 'screen'],
    exactOnly: 'runs-programs',
    runsShell: true,
    wraps: {},
    examples: {
      refused: ['tmux new id'],
      mutates: [
        ["tmux new 'rm -r a'", 'a'],
        ['tmux new rm -r a', 'a'],
      ],
    },
  },
]
