import { shown } from '../wording.ts'
import { uncoveredByGit } from './git.ts'
import { type Dangerous, dangerousWord } from './options.ts'

/**
 * What a prefix rule does not cover of a program. Such a rule says that a program may be called with any arguments; it
 * is not meant to hand over the shell. So where arguments would make a harmless-looking program run another one, only
 * an exact rule, which names every word, covers the call.
 *
 * Programs that are not in this table are covered whole: the rule names them, and whoever agreed to `python3:*` or
 * `npm:*` agreed to any code that these run.
 */
interface Program extends Dangerous {
  /** No prefix rule covers it. The clause says why. */
  readonly exactOnly?: string
  /** A prefix rule has to name what is run, right after the program: `bash build.sh:*`. */
  readonly namesOperand?: boolean
  /** A judgement that no table of words expresses. */
  readonly judge?: (words: readonly string[], fixed: number) => string | undefined
}

const SHELL_ITSELF = 'is part of the shell and can run or change more than its words say'
const RUNS_OTHERS = 'runs other programs'

/**
 * Commands of bash and zsh that evaluate their arguments (also as arithmetic: `a[$(x)]`), run others, or change the
 * shell. Reserved words (`[[`, `if`, `coproc`) make no simple command and never come this far.
 */
const BUILTINS =
  '. source eval exec builtin command time export declare typeset local readonly unset read mapfile readarray let printf ' +
  'getopts trap alias unalias hash enable bind complete compgen compopt set shopt wait ulimit jobs fc history shift exit ' +
  'logout return break continue caller suspend noglob nocorrect repeat foreach end integer float private print vared ' +
  'zmodload autoload emulate functions zcompile zparseopts zformat zstyle zle sched setopt unsetopt whence where ' +
  'which-command rehash bindkey echotc echoti limit unlimit log disable zsystem zselect ztcp zsocket zpty sysopen sysread ' +
  'syswrite strftime'

const WRAPPERS =
  'env xargs timeout nice ionice nohup setsid stdbuf sudo doas su runuser chroot unshare nsenter setpriv chrt taskset ' +
  'flock watch script parallel strace ltrace gdb lldb perf valgrind entr busybox toybox expect socat ncat at batch crontab ' +
  'systemd-run run-parts start-stop-daemon bwrap firejail capsh fakeroot ssh scp sftp osascript open xdg-open ' +
  'awk gawk mawk nawk sed gsed ed ex vi vim nvim view rvim emacs less more most man dc tclsh wish screen tmux dbus-send ' +
  'ld.so ld-linux-x86-64.so.2 cmd powershell pwsh wsl rundll32 mshta start'

const SHELLS = 'sh bash dash ash zsh ksh mksh rbash fish csh tcsh nu'

/** File tests on one operand: none of them evaluates it. */
const FILE_TESTS = /^-[bcdefgGhkLNOprsStuwxnz]$/

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...all(BUILTINS, { exactOnly: SHELL_ITSELF }),
  ...all(WRAPPERS, { exactOnly: RUNS_OTHERS }),
  ...all(SHELLS, { namesOperand: true }),
  ['git', { judge: uncoveredByGit }],
  ['test', { judge: (words) => judgeTest(words.slice(1)) }],
  ['find', { words: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fls', '-fprint', '-fprint0', '-fprintf'] }],
  ...all('fd fdfind', { options: ['--exec', '--exec-batch'], letters: 'xX' }),
  ['rg', { options: ['--pre', '--hostname-bin'] }],
  [
    'tar',
    {
      options: [
        '--checkpoint-action',
        '--to-command',
        '--use-compress-program',
        '--info-script',
        '--new-volume-script',
        '--rsh-command',
        '--rmt-command',
        // Names in such a list that begin with a dash are read as options.
        '--files-from',
      ],
      letters: 'FIT',
      bundled: true,
      // An archive on another machine, which a remote shell fetches.
      shape: /^[^/]*:/,
    },
  ],
  ['sort', { options: ['--compress-program', '--output'], letters: 'o' }],
  ['split', { options: ['--filter'] }],
  ['rsync', { options: ['--rsh', '--rsync-path'], letters: 'e' }],
  ['wget', { options: ['--config', '--execute', '--use-askpass'], letters: 'e' }],
  ['zip', { options: ['--unzip-command'], letters: 'T' }],
  ['tcpdump', { letters: 'z' }],
])

/**
 * Why a prefix rule does not cover a command although its first words are the rule's: a clause, or undefined where it
 * does.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names
 */
export function uncovered(words: readonly string[], fixed: number): string | undefined {
  const name = words[0]!
  // By whatever path and in whatever case: some file systems take "ENV" for "env".
  const program = PROGRAMS.get(
    name
      .slice(name.lastIndexOf('/') + 1)
      .toLowerCase()
      .replace(/\.exe$/, ''),
  )
  if (program === undefined) return undefined
  const { exactOnly, namesOperand, judge } = program
  if (exactOnly !== undefined)
    return `"${shown(name)}" ${exactOnly}, so that only a rule with exactly these words covers it`
  if (namesOperand === true && (fixed < 2 || words[1]!.startsWith('-'))) {
    return `"${shown(name)}" ${RUNS_OTHERS}, and the rule does not name which`
  }
  if (judge !== undefined) return judge(words, fixed)
  const word = dangerousWord(words.slice(1), program)
  return word === undefined
    ? undefined
    : `"${shown(word)}" can make "${shown(name)}" run or write something else, so that only a rule with exactly these words covers it`
}

function judgeTest(words: readonly string[]): string | undefined {
  const isFileTest = words.length === 2 && FILE_TESTS.test(words[0]!)
  return isFileTest
    ? undefined
    : 'only tests of one file ("test -f name") are covered, since others evaluate their words in some shells'
}

function all(names: string, program: Program): (readonly [string, Program])[] {
  return names.split(' ').map((name) => [name, program] as const)
}
