import { all, below, moved, operands, type MutatedPath } from './mutated-path.ts'

/** What `git` takes: the paths that it is given to remove, to move, to clean, to restore or to put away. */
export function byGit(words: readonly string[]): readonly MutatedPath[] {
  let at = 1
  let folder = ''
  // Another working tree takes what is there, whatever is done in it.
  const trees: string[] = []
  for (; words[at]?.startsWith('-') === true; at++) {
    const tree = /^--work-tree(?:=(.*))?$/.exec(words[at]!)
    if (words[at] === '-C') folder = below(folder, words[++at] ?? '')
    else if (tree !== null) trees.push(tree[1] ?? words[++at] ?? '')
    else if (/^(?:-c|--git-dir|--namespace)$/.test(words[at]!)) at++
  }
  const rest = words.slice(at)
  const has = (option: RegExp): boolean => rest.some((word) => option.test(word))
  const take = (taken: readonly MutatedPath[]): readonly MutatedPath[] => [
    ...trees.map((path) => ({ path: below(folder, path), into: true })),
    ...taken.flatMap((one) => {
      // Pathspecs with magic (`:/`, `:(top)`) begin where the repository does.
      if (one.path.startsWith(':')) return [{ path: '.', anywhere: true }]
      return [folder, ...trees.map((tree) => below(folder, tree))].map((from) => ({
        ...one,
        path: below(from, one.path),
      }))
    }),
  ]
  const [subcommand = '', next = ''] = rest
  if (subcommand === 'rm') return take(has(/^--cached$/) ? [] : all(operands(rest)))
  if (subcommand === 'mv') return take(moved(rest))
  // What is no path among them is the name of a commit or of a branch.
  if (subcommand === 'checkout') return take(has(/^(?:-\w*[bB]|--orphan)/) ? [] : all(operands(rest)))
  if (subcommand === 'restore') {
    const isIndex = has(/^(?:-\w*S|--staged$)/) && !has(/^(?:-\w*W|--worktree$)/)
    return take(isIndex ? [] : all(operands(rest)))
  }
  if (subcommand === 'stash') return take(all(/^(?:push|save|-.*|)$/.test(next) ? operands(rest.slice(1)) : []))
  if (subcommand === 'apply') {
    return take(
      rest.flatMap((word) => /^--directory=(.+)$/.exec(word)?.[1] ?? []).map((path) => ({ path, into: true })),
    )
  }
  if (subcommand !== 'clean' || has(/^-\w*n|^--dry-run$/)) return take([])
  const excluded = rest.findIndex((word) => /^(?:-e|--exclude)$/.test(word))
  const paths = operands(excluded < 0 ? rest : rest.toSpliced(excluded, 2))
  return take(all(paths.length === 0 ? ['.'] : paths))
}
