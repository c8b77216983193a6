/** A path that a command moves or removes, or puts something in the place of, with all that is in it. */
export interface TakenPath {
  /** Relative to the working folder, absolute, or below somebody's home; `*` and its like as a shell has them. */
  readonly path: string
  /** A folder that is not known is what the path is relative to. */
  readonly anywhere?: boolean
  /** Something is put there: into it, where it is a folder already, and else in its place. */
  readonly into?: boolean
  /** Patterns that the names of what is removed below it follow, each of them. */
  readonly named?: readonly string[]
}

const REMOVE = 'rm rmdir unlink trash trash-put rimraf del-cli srm del erase rd remove-item ri'.split(' ')
const MOVE = 'mv move ren rename move-item mi rename-item rni'.split(' ')
const COPY = 'cp copy xcopy copy-item cpi'.split(' ')

/** What takes the arguments of a program. Its name stands first among the words. */
type Taker = (words: readonly string[]) => readonly TakenPath[]

const TAKERS: ReadonlyMap<string, Taker> = new Map<string, Taker>([
  ...REMOVE.map((name) => [name, (words: readonly string[]) => all(operands(words))] as const),
  ...MOVE.map((name) => [name, moved] as const),
  ...COPY.map((name) => [name, copied] as const),
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

function all(paths: readonly string[]): readonly TakenPath[] {
  return paths.map((path) => ({ path }))
}

/** The words that are no options, without the program. */
function operands(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const before = end < 0 ? words : words.slice(0, end)
  return [...before.slice(1).filter((word) => !word.startsWith('-')), ...(end < 0 ? [] : words.slice(end + 1))]
}

function moved(words: readonly string[]): readonly TakenPath[] {
  const { sources, target } = transfer(words)
  return [...all(sources), ...landing(sources, target)]
}

/** Only what copies folders puts one in the place of another. */
const RECURSIVE = /^-\w*[rRa]|^--(?:r|a)|^\/[es]$/i

function copied(words: readonly string[]): readonly TakenPath[] {
  if (!words.some((word) => RECURSIVE.test(word))) return []
  const { sources, target } = transfer(words)
  return landing(sources, target)
}

interface Transfer {
  readonly sources: readonly string[]
  /** Absent: none is named. */
  readonly target?: string | undefined
}

function transfer(words: readonly string[]): Transfer {
  const at = words.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word))
  if (at >= 0) return { sources: operands(words.toSpliced(at, 2)), target: words[at + 1] }
  const given = words.map((word) => /^(?:-\w*t|--target-directory=)(.+)$/.exec(word)?.[1]).find(Boolean)
  if (given !== undefined) return { sources: operands(words), target: given }
  const paths = operands(words)
  return paths.length < 2 ? { sources: paths } : { sources: paths.slice(0, -1), target: paths.at(-1) }
}

/** Where something ends up: in the place of the target, or in it under the name that it had. */
function landing(sources: readonly string[], target: string | undefined): readonly TakenPath[] {
  if (target === undefined) return []
  const names = sources.map((source) => source.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, ''))
  // What a wildcard stands for elsewhere is not known.
  const inside = names.filter((name) => !/^\.{0,2}$|[*?[{]/.test(name)).map((name) => `${target}/${name}`)
  return [{ path: target, into: true }, ...all(inside)]
}

const DELETES = /^-(?:delete|exec|execdir|ok|okdir)$/
const TURNS = new Set(['-o', '-or', '!', '-not', ','])

/** `find` removes what lies below its folders, what its tests let pass. Of these only names are read. */
function found(words: readonly string[]): readonly TakenPath[] {
  const at = words.findIndex((word, index) => {
    if (!DELETES.test(word)) return false
    const run = words.slice(index + 1)
    return word === '-delete' || takenByWords([...run, '{}']).length > 0 || (runsShell(run[0]) && run.some(mayTake))
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

function byGit(words: readonly string[]): readonly TakenPath[] {
  let at = 1
  let folder = ''
  for (; words[at]?.startsWith('-') === true; at++) {
    if (words[at] === '-C') folder = words[++at] ?? ''
    else if (/^(?:-c|--git-dir|--work-tree|--namespace)$/.test(words[at]!)) at++
  }
  const rest = words.slice(at)
  const has = (option: RegExp): boolean => rest.some((word) => option.test(word))
  const take = (taken: readonly TakenPath[]): readonly TakenPath[] =>
    taken.map((one) => {
      // Pathspecs with magic (`:/`, `:(top)`) begin where the repository does.
      if (one.path.startsWith(':')) return { path: '.', anywhere: true }
      return folder === '' || /^[/~]/.test(one.path) ? one : { ...one, path: `${folder}/${one.path}` }
    })
  if (rest[0] === 'rm') return has(/^--cached$/) ? [] : take(all(operands(rest)))
  if (rest[0] === 'mv') return take(moved(rest))
  if (rest[0] !== 'clean' || has(/^-\w*n|^--dry-run$/)) return []
  const excluded = rest.findIndex((word) => /^(?:-e|--exclude)$/.test(word))
  const paths = operands(excluded < 0 ? rest : rest.toSpliced(excluded, 2))
  return take(all(paths.length === 0 ? ['.'] : paths))
}
