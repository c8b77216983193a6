import { byGit } from './git-takers.ts'
import { linked, mounted, patched, unpacked7z, unpackedTar, unpackedZip } from './placers.ts'
import { all, landing, moved, operands, placed, type TakenPath, transfer } from './taken-path.ts'

export type { TakenPath } from './taken-path.ts'

const REMOVE = 'rm rmdir unlink trash trash-put rimraf del-cli srm del erase rd remove-item ri'.split(' ')
const MOVE = 'mv move ren rename move-item mi rename-item rni'.split(' ')
const COPY = 'cp copy xcopy copy-item cpi install scp'.split(' ')

/** What takes the arguments of a program. Its name stands first among the words. */
type Taker = (words: readonly string[]) => readonly TakenPath[]

const TAKERS: ReadonlyMap<string, Taker> = new Map<string, Taker>([
  ...REMOVE.map((name) => [name, (words: readonly string[]) => all(operands(words))] as const),
  ...MOVE.map((name) => [name, moved] as const),
  ...COPY.map((name) => [name, copied] as const),
  ...['ln', 'link'].map((name) => [name, linked] as const),
  ...['tar', 'bsdtar', 'gtar'].map((name) => [name, unpackedTar] as const),
  ...['7z', '7za', '7zz'].map((name) => [name, unpacked7z] as const),
  ['unzip', unpackedZip],
  ...['rsync', 'ditto'].map((name) => [name, mirrored] as const),
  // Options of Windows' own begin with a slash.
  ['robocopy', (words) => placed([], words.slice(1).filter((word) => !word.startsWith('/'))[1])],
  ['patch', patched],
  ['mount', mounted],
  // What it makes is named first.
  [
    'mklink',
    (words) =>
      placed(
        [],
        words.slice(1).find((word) => !word.startsWith('/')),
      ),
  ],
  ['gio', (words) => all(operands(words))],
  ['find', found],
  ['git', byGit],
])

/** Programs that run the one named among their words. */
const CARRIERS: ReadonlySet<string> = new Set(
  (
    'sudo doas env xargs timeout nice ionice nohup time command builtin exec busybox toybox stdbuf setsid parallel ' +
    'npx bunx pnpx cmd start'
  ).split(' '),
)

/** A text in which none of the programs is named takes nothing, and need not be parsed. */
const MENTIONED = new RegExp(`(?:^|[^\\w])(?:${[...TAKERS.keys()].join('|')})(?:\\.exe)?(?:[^\\w]|$)`, 'i')

/** Whether a text can take anything away at all. Quotes and backslashes may stand anywhere in a word. */
export function mayTake(command: string): boolean {
  return MENTIONED.test(command.replaceAll(/["'\\\n]/g, (mark) => (mark === '\n' ? ' ' : '')))
}

/** What the words of one simple command take, the program first. */
export function takenByWords(words: readonly string[]): readonly TakenPath[] {
  const [program = '', ...rest] = words
  const carried = CARRIERS.has(programName(program)) ? rest.findIndex((word) => TAKERS.has(programName(word))) + 1 : 0
  return TAKERS.get(programName(words[carried] ?? ''))?.(words.slice(carried)) ?? []
}

/** By whatever path and in whatever case, since some file systems take `RM` for `rm`. */
export function programName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, '')
}

/** Only what copies folders puts one in the place of another; files land in it under their names. */
const RECURSIVE = /^-\w*[rRa]|^--(?:r|a)|^\/[es]$/i

function copied(words: readonly string[]): readonly TakenPath[] {
  const { sources, target } = transfer(words)
  return words.some((word) => RECURSIVE.test(word)) ? placed(sources, target) : landing(sources, target)
}

function mirrored(words: readonly string[]): readonly TakenPath[] {
  const { sources, target } = transfer(words)
  return placed(sources, target)
}

const DELETES = /^-(?:delete|exec|execdir|ok|okdir)$/

/** Programs that change no file that they are given, so that `find` may run them. */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat head tail less more grep egrep fgrep rg zgrep wc ls stat file du echo printf basename dirname realpath readlink ' +
    'md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum sum b2sum diff cmp od hexdump strings jq ' +
    'test [ true false nl tac sort cut'
  ).split(' '),
)

const TURNS = new Set(['-o', '-or', '!', '-not', ','])

/**
 * `find` removes what lies below its folders, or has it changed by a program, what its tests let pass. Of these only
 * names are read.
 */
function found(words: readonly string[]): readonly TakenPath[] {
  const at = words.findIndex((word, index) => {
    if (!DELETES.test(word)) return false
    const run = words.slice(index + 1)
    return word === '-delete' || !READERS.has(programName(run[0] ?? ''))
  })
  if (at < 0) return []
  const rest = words.slice(1).filter((word) => !/^-[LHP]+$/.test(word))
  const end = rest.findIndex((word) => /^[-(!,]/.test(word))
  const starts = rest.slice(0, end)
  const named = words.flatMap((word, index) => (/^-i?name$/.test(word) ? (words[index + 1] ?? []) : []))
  const isPlain = !words.some((word) => TURNS.has(word))
  return (starts.length === 0 ? ['.'] : starts).map((path) => ({ path, ...(isPlain && named.length > 0 && { named }) }))
}

const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash ash zsh ksh mksh fish csh tcsh nu eval su watch script powershell pwsh'.split(' '),
)

/** Whether a program takes a command line as one of its words. */
export function runsShell(word: string | undefined): boolean {
  return word !== undefined && SHELLS.has(programName(word))
}
