import { shown } from '../../text/quote.ts'
import { uncoveredByGh } from './gh.ts'
import { uncoveredByGit } from './git.ts'
import { guardedWord } from './guard.ts'
import { GUARDED } from './guarded.ts'

/**
 * What a prefix rule does not cover of a program. Such a rule says that a program may be called with any arguments; it
 * is not meant to hand over the shell. So where arguments would make a harmless-looking program run another one, only
 * an exact rule, which names every word, covers the call.
 *
 * Programs that are neither here nor in `guarded.ts` are covered whole: the rule names them, and whoever agreed to
 * `python3:*` or `npm:*` agreed to any code that these run.
 */
interface Program {
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
  'ld.so ld-linux-x86-64.so.2 cmd powershell pwsh wsl rundll32 mshta start ' +
  'runcon coreutils pkexec gosu su-exec prlimit setarch linux32 linux64 cgexec ifne chronic unbuffer rlwrap dtach ' +
  'daemonize faketime proxychains proxychains4 torsocks cross-env dotenv dotenvx env-cmd aws-vault chamber envchain ' +
  'hyperfine ldd gs mlr fzf sk tig lazygit lftp ssh-agent ssh-copy-id sshpass autossh mosh sshfs'

const SHELLS = 'sh bash dash ash zsh ksh mksh rbash fish csh tcsh nu'

/** File tests on one operand: none of them evaluates it. */
const FILE_TESTS = /^-[bcdefgGhkLNOprsStuwxnz]$/

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...all(BUILTINS, { exactOnly: SHELL_ITSELF }),
  ...all(WRAPPERS, { exactOnly: RUNS_OTHERS }),
  ...all(SHELLS, { namesOperand: true }),
  ['git', { judge: uncoveredByGit }],
  ['gh', { judge: uncoveredByGh }],
  ['test', { judge: (words) => judgeTest(words.slice(1)) }],
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
  const key = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '')
  const { exactOnly, namesOperand, judge } = PROGRAMS.get(key) ?? {}
  if (exactOnly !== undefined)
    return `"${shown(name)}" ${exactOnly}, so that only a rule with exactly these words covers it`
  if (namesOperand === true && (fixed < 2 || words[1]!.startsWith('-'))) {
    return `"${shown(name)}" ${RUNS_OTHERS}, and the rule does not name which`
  }
  if (judge !== undefined) return judge(words, fixed)
  const guard = GUARDED.get(key)
  const word = guard === undefined ? undefined : guardedWord(words, fixed, guard)
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
