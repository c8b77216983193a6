import { list, type PrefixJudge, type Program } from './program.ts'

/** File tests on one operand: none of them evaluates it. */
const FILE_TESTS = /^-[bcdefgGhkLNOprsStuwxnz]$/

const judgeTest: PrefixJudge = (words) => {
  if (words.length === 3 && FILE_TESTS.test(words[1]!)) return undefined
  return 'only tests of one file ("test -f name") are covered, since others evaluate their words in some shells'
}

/** With one of these first it tells what a name means, and runs nothing. */
const judgeCommand: PrefixJudge = ([, first]) => {
  if (first === '-v' || first === '-V') return undefined
  return '"command" runs other programs unless "-v" stands right behind it'
}

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

/**
 * Commands of bash and zsh that evaluate their arguments (also as arithmetic: `a[$(x)]`), run others, or change the
 * shell. Reserved words (`[[`, `if`, `coproc`) make no simple command and never come this far.
 */
export const BUILTINS: readonly Program[] = [
  {
    names: list(
      'declare typeset export local readonly unset read mapfile readarray let getopts unalias hash enable bind complete ' +
        'compgen compopt set shopt wait ulimit jobs fc history shift exit logout return break continue caller suspend ' +
        'foreach end integer float private print vared zmodload autoload emulate functions zcompile zparseopts zformat ' +
        'zstyle zle sched setopt unsetopt whence where which-command rehash bindkey echotc echoti limit unlimit log ' +
        'disable zsystem zselect ztcp zsocket zpty sysopen sysread syswrite strftime',
    ),
    exactOnly: 'shell-builtin',
    examples: { refused: ['declare x'], harmless: ['declare rm a'] },
  },
  {
    names: ['.', 'source', 'alias'],
    exactOnly: 'shell-builtin',
    readsCommands: true,
    examples: { refused: ['. x'] },
  },
  {
    names: list('builtin exec time noglob nocorrect'),
    exactOnly: 'shell-builtin',
    wraps: {},
    examples: { refused: ['builtin id'], mutates: [['builtin rm -r a', 'a']] },
  },
  {
    names: ['command'],
    judge: judgeCommand,
    wraps: { lookup: ['-v', '-V'] },
    examples: {
      permitted: ['command -v git', 'command -V git'],
      refused: ['command id', 'command -p id', 'command'],
      mutates: [['command -p rm -r a', 'a']],
      harmless: ['command -v rm a'],
    },
  },
  {
    names: ['repeat'],
    exactOnly: 'shell-builtin',
    wraps: { operands: 1 },
    examples: { refused: ['repeat 2 id'], mutates: [['repeat 2 rm -r a', 'a']] },
  },
  {
    names: ['printf'],
    exactOnly: 'shell-builtin',
    readsOnly: true,
    examples: { refused: ['printf -v a x'], harmless: ['find . -exec printf {} +'] },
  },
  {
    names: ['test'],
    judge: judgeTest,
    readsOnly: true,
    examples: {
      permitted: ['test -f x'],
      refused: ["test -v 'a[x]'", 'test a -eq b'],
      harmless: ["find . -exec test -f '{}' ';'"],
    },
  },
]
