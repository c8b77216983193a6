import { list, type PrefixJudge, type Program } from './program.ts'

/** File tests on one operand: none of them evaluates it. */
const FILE_TESTS = /^-[bcdefgGhkLNOprsStuwxnz]$/

const judgeTest: PrefixJudge = (words) => {
  if (words.length === 3 && FILE_TESTS.test(words[1]!)) return undefined
  return {
    why: 'only tests of one file ("test -f name") are covered, since others evaluate their words in some shells',
  }
}

/** With one of these first it tells what a name means, and runs nothing. */
const judgeCommand: PrefixJudge = ([, first]) => {
  if (first === '-v' || first === '-V') return undefined
  return { why: '"command" runs other programs unless "-v" stands right behind it' }
}

/**
 * Commands of bash and zsh that evaluate their arguments (also as arithmetic: `a[$(x)]`), run others, or change the
 * shell. Reserved words (`[[`, `if`, `coproc`) make no simple command and never come this far. See also `shells.ts`.
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
