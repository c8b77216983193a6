import { foundBy } from './find.ts'
import { byGit } from './git-mutators.ts'
import { linked, mounted, patched, unpacked7z, unpackedTar, unpackedZip } from './writers.ts'
import { all, below, landing, moved, operands, placed, type MutatedPath, transfer } from './mutated-path.ts'

const REMOVE = 'rm rmdir unlink trash trash-put rimraf del-cli srm del erase rd remove-item ri'.split(' ')
const MOVE = 'mv move ren rename move-item mi rename-item rni'.split(' ')
const COPY = 'cp copy xcopy copy-item cpi install scp'.split(' ')

/** What takes the arguments of a program. Its name stands first among the words. */
type Taker = (words: readonly string[], depth?: number) => readonly MutatedPath[]

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
    'npx bunx pnpx cmd start flock taskset strace runuser chroot tmux screen'
  ).split(' '),
)

/** The same, where the next word says that it does. */
const RUN_BY: ReadonlySet<string> = new Set(
  (
    'uv run,poetry run,pdm run,pipenv run,conda run,npm exec,npm x,pnpm exec,pnpm dlx,yarn exec,yarn dlx,bun x,' +
    'yarn rimraf,yarn del-cli,yarn trash,pnpm rimraf,pnpm del-cli,pnpm trash'
  ).split(','),
)

/** A text in which none of the programs is named takes nothing, and need not be parsed. */
const MENTIONED = new RegExp(`(?:^|[^\\w])(?:${[...TAKERS.keys()].join('|')})(?:\\.exe)?(?:[^\\w]|$)`, 'i')

/** Whether a text can take anything away at all. Quotes and backslashes may stand anywhere in a word. */
export function mayMutate(command: string): boolean {
  // Letters may be written by their numbers.
  if (command.includes("$'")) return true
  const plain = command.replaceAll(/\\\r?\n|["'\\]/g, '').replaceAll('\n', ' ')
  return MENTIONED.test(plain)
}

/** What the words of one simple command take, the program first. */
export function pathsMutatedByWords(words: readonly string[], depth = 0): readonly MutatedPath[] {
  const [first = '', second = '', ...rest] = words.map(programName)
  // It only says where the others are.
  if (first === 'command' && second.startsWith('-v')) return []
  const carries = CARRIERS.has(first) || RUN_BY.has(`${first} ${second}`)
  const carried = carries ? [second, ...rest].findIndex((word) => TAKERS.has(word)) + 1 : 0
  const taken = TAKERS.get(programName(words[carried] ?? ''))?.(words.slice(carried), depth) ?? []
  const folder = folderOf(words.slice(0, carried))
  return folder === '' ? taken : taken.map((one) => (one.anywhere ? one : { ...one, path: below(folder, one.path) }))
}

/** The folder that `env` or `sudo` runs a command in. */
function folderOf(words: readonly string[]): string {
  const letter = words.some((word) => programName(word) === 'env') ? /^-C(.*)$/s : /^-D(.*)$/s
  return words.reduce((folder, word, index) => {
    const given =
      letter.exec(word)?.[1] ?? /^--chdir(?:=(.*))?$/s.exec(word)?.[1] ?? (word === '--chdir' ? '' : undefined)
    return given === undefined ? folder : below(folder, given === '' ? (words[index + 1] ?? '') : given)
  }, '')
}

/** By whatever path, in whatever version and case, since some file systems take `RM` for `rm`. */
export function programName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(?:exe|cmd|bat)$/, '')
}

/** Only what copies folders puts one in the place of another; files land in it under their names. */
const RECURSIVE = /^-\w*[rRa]|^--(?:r|a)|^\/[es]$/i

function copied(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transfer(words)
  return words.some((word) => RECURSIVE.test(word)) ? placed(sources, target) : landing(sources, target)
}

function mirrored(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transfer(words)
  return placed(sources, target)
}

/** Programs that change no file that they are given, so that `find` may run them. */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat head tail less more grep egrep fgrep rg zgrep wc ls stat file du echo printf basename dirname realpath readlink ' +
    'md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum sum b2sum diff cmp od hexdump strings jq ' +
    'test [ true false nl tac sort cut'
  ).split(' '),
)

/** Commands in commands of `find` that are read. */
const MAX_DEPTH = 4

/** `find` removes what lies below its folders, or has it changed by a program, which may take more by itself. */
function found(words: readonly string[], depth = 0): readonly MutatedPath[] {
  const parts = foundBy(words, ([program = '']) => !READERS.has(programName(program)))
  return parts.flatMap(({ command, taken }) => {
    if (command.length === 0) return taken
    return [
      ...taken,
      ...(depth < MAX_DEPTH ? pathsMutatedByWords(command, depth + 1) : [{ path: '.', anywhere: true }]),
    ]
  })
}

const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash ash zsh ksh mksh fish csh tcsh nu eval su watch script powershell pwsh cmd trap runuser tmux screen at batch'.split(
    ' ',
  ),
)

/** Whether a program takes a command line as one of its words. */
export function runsShell(word: string | undefined): boolean {
  return word !== undefined && SHELLS.has(programName(word))
}
