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

export function all(paths: readonly string[]): readonly TakenPath[] {
  return paths.map((path) => ({ path }))
}

/** The words that are no options, without the program. */
export function operands(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const before = end < 0 ? words : words.slice(0, end)
  return [...before.slice(1).filter((word) => !word.startsWith('-')), ...(end < 0 ? [] : words.slice(end + 1))]
}

interface Transfer {
  readonly sources: readonly string[]
  /** Absent: none is named. */
  readonly target?: string | undefined
}

export function transfer(words: readonly string[]): Transfer {
  const at = words.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word))
  if (at >= 0) return { sources: operands(words.toSpliced(at, 2)), target: words[at + 1] }
  const given = words.map((word) => /^(?:-\w*t|--target-directory=)(.+)$/.exec(word)?.[1]).find(Boolean)
  if (given !== undefined) return { sources: operands(words), target: given }
  const paths = operands(words)
  return paths.length < 2 ? { sources: paths } : { sources: paths.slice(0, -1), target: paths.at(-1) }
}

/** Where something ends up: in the place of the target, or in it under the name that it had. */
export function landing(sources: readonly string[], target: string | undefined): readonly TakenPath[] {
  if (target === undefined) return []
  const names = sources.map((source) => source.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, ''))
  // What a wildcard stands for elsewhere is not known. In the folder of all that it may be, no file is told apart.
  const isHere = /^[./\\]*$/.test(target)
  const inside = names.filter((name) => !(isHere ? /^\.{0,2}$|[*?[{]/ : /^\.{0,2}$/).test(name))
  return all(inside.map((name) => `${target}/${name}`))
}

/** The same, where it goes into a folder of that name, or is put in its place. */
export function placed(sources: readonly string[], target: string | undefined): readonly TakenPath[] {
  return target === undefined ? [] : [{ path: target, into: true }, ...landing(sources, target)]
}

export function moved(words: readonly string[]): readonly TakenPath[] {
  const { sources, target } = transfer(words)
  return [...all(sources), ...placed(sources, target)]
}
