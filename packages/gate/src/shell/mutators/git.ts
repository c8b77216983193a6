import { ANY_PATH, below, type MutatedPath } from '../mutated-path.ts'
import { move, pathOperands, remove } from './transfer.ts'

/** The paths that `git` is told to remove, to move, to clean, to restore or to stash. */
export function mutateByGit(words: readonly string[]): readonly MutatedPath[] {
  let at = 1
  let folder = ''
  // In another working tree anything may be replaced, whatever the subcommand.
  const trees: string[] = []
  for (; words[at]?.startsWith('-') === true; at++) {
    const tree = /^--work-tree(?:=(.*))?$/.exec(words[at]!)
    if (words[at] === '-C') folder = below(folder, words[++at] ?? '')
    else if (tree !== null) trees.push(tree[1] ?? words[++at] ?? '')
    else if (/^(?:-c|--git-dir|--namespace)$/.test(words[at]!)) at++
  }
  return [
    ...trees.map((path) => ({ path: below(folder, path), into: true })),
    ...mutateBySubcommand(words.slice(at)).flatMap((mutated) => {
      // Pathspecs with magic (`:/`, `:(top)`) begin where the repository does.
      if (mutated.path.startsWith(':')) return [ANY_PATH]
      return [folder, ...trees.map((tree) => below(folder, tree))].map((from) => ({
        ...mutated,
        path: below(from, mutated.path),
      }))
    }),
  ]
}

/** The same from the subcommand on, relative to the folder that git works in. */
function mutateBySubcommand(words: readonly string[]): readonly MutatedPath[] {
  const has = (option: RegExp): boolean => words.some((word) => option.test(word))
  const [subcommand = '', next = ''] = words
  switch (subcommand) {
    case 'rm':
      return has(/^--cached$/) ? [] : remove(words)
    case 'mv':
      return move(words)
    case 'checkout':
      // What is not a path among them is the name of a commit or of a branch.
      return has(/^(?:-\w*[bB]|--orphan)/) ? [] : remove(words)
    case 'restore': {
      const isIndex = has(/^(?:-\w*S|--staged$)/) && !has(/^(?:-\w*W|--worktree$)/)
      return isIndex ? [] : remove(words)
    }
    case 'stash':
      if (!/^(?:push|save|-.*|)$/.test(next)) return []
      // These take files along that git does not know.
      return [...remove(words.slice(1)), ...(has(/^(?:-\w*[ua]|--include-untracked|--all)$/) ? [{ path: '.' }] : [])]
    case 'worktree':
      return /^(?:remove|move)$/.test(next) ? remove(words.slice(1)) : []
    case 'submodule':
      return next === 'deinit' ? remove(words.slice(1)) : []
    case 'apply':
      return words.flatMap((word) => /^--directory=(.+)$/.exec(word)?.[1] ?? []).map((path) => ({ path, into: true }))
    case 'clean': {
      if (has(/^-\w*n|^--dry-run$/)) return []
      const excluded = words.findIndex((word) => /^(?:-e|--exclude)$/.test(word))
      const paths = excluded < 0 ? words : words.toSpliced(excluded, 2)
      return pathOperands(paths).length === 0 ? [{ path: '.' }] : remove(paths)
    }
    default:
      return []
  }
}
