/** A path that a command moves or removes, or puts something in the place of, with all that is in it. */
export interface MutatedPath {
  /** Relative to the working folder, absolute, or below somebody's home; `*` and its like as a shell has them. */
  readonly path: string
  /** A folder that is not known is what the path is relative to. */
  readonly anywhere?: boolean
  /** Something is put there: into it, where it is a folder already, and else in its place. */
  readonly into?: boolean
  /** Lists of patterns: the name of what is removed below it follows one of each list. */
  readonly named?: readonly (readonly string[])[]
  /** What is removed below it is none of the others. */
  readonly only?: 'file' | 'folder'
}

export function all(paths: readonly string[]): readonly MutatedPath[] {
  return paths.map((path) => ({ path }))
}

/** A path as it is from outside of the folder that it is meant in. */
export function below(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~$`%]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`
}

/** What PowerShell has paths in, the one that something ends up by last. */
const SOURCE = /^-(?:literal)?path(?::(.*))?$/is
const ENDS_UP = /^-(?:destination|newname|target)(?::(.*))?$/is

/** The words with those that are named by parameters where they stand without. */
function positional(words: readonly string[]): readonly string[] {
  if (!words.some((word) => SOURCE.test(word) || ENDS_UP.test(word))) return words
  const first: string[] = []
  const last: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const match = SOURCE.exec(word) ?? ENDS_UP.exec(word)
    const to = ENDS_UP.test(word) ? last : first
    to.push(match === null ? word : (match[1] ?? words[++at] ?? ''))
  }
  return [...first, ...last]
}

/** The words that are no options, without the program. */
export function operands(given: readonly string[]): readonly string[] {
  const words = positional(given)
  const end = words.indexOf('--')
  const before = end < 0 ? words : words.slice(0, end)
  return [...before.slice(1).filter((word) => !word.startsWith('-')), ...(end < 0 ? [] : words.slice(end + 1))]
}

interface Transfer {
  readonly sources: readonly string[]
  /** Absent: none is named. */
  readonly target?: string | undefined
}

export function transfer(given: readonly string[]): Transfer {
  const words = positional(given)
  const at = words.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word))
  if (at >= 0) return { sources: operands(words.toSpliced(at, 2)), target: words[at + 1] }
  const together = words.map((word) => /^(?:-\w*t|--target-directory=)(.+)$/.exec(word)?.[1]).find(Boolean)
  if (together !== undefined) return { sources: operands(words), target: together }
  const paths = operands(words)
  return paths.length < 2 ? { sources: paths } : { sources: paths.slice(0, -1), target: paths.at(-1) }
}

/** Where something ends up: in the place of the target, or in it under the name that it had. */
export function landing(sources: readonly string[], target: string | undefined): readonly MutatedPath[] {
  if (target === undefined) return []
  const names = sources.map((source) => source.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, ''))
  // What a wildcard stands for elsewhere is not known. In the folder of all that it may be, no file is told apart.
  const isHere = /^[./\\]*$/.test(target)
  const inside = names.filter((name) => !(isHere ? /^\.{0,2}$|[*?[{]/ : /^\.{0,2}$/).test(name))
  return all(inside.map((name) => `${target}/${name}`))
}

/** The same, where it goes into a folder of that name, or is put in its place. */
export function placed(sources: readonly string[], target: string | undefined): readonly MutatedPath[] {
  return target === undefined ? [] : [{ path: target, into: true }, ...landing(sources, target)]
}

export function moved(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transfer(words)
  return [...all(sources), ...placed(sources, target)]
}
