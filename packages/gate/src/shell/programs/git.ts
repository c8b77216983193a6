import { findUnsafeWord, type UnsafeWords } from '../unsafe-use.ts'
import { ANY_PATH, below, list, type MutatedPath, type Program, runsOrWrites } from './program.ts'
import { move, pathOperands, remove } from './transfer.ts'

/** Options before the subcommand that change nothing but the output. All others can change what git runs or where. */
const BEFORE: ReadonlySet<string> = new Set(
  list(
    '--no-pager -P --no-optional-locks --no-replace-objects --no-advice --literal-pathspecs --glob-pathspecs ' +
      '--noglob-pathspecs --icase-pathspecs --version -v',
  ),
)

/** Help on a subcommand is shown by a program that the repository's configuration may name. Alone it is only printed. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

/** Options that run a program or write a file of the caller's choice, with whatever subcommand takes them. */
const EVERYWHERE: UnsafeWords = {
  options: list('--exec --exec-path --config-env --upload-pack --receive-pack --extcmd --open-files-in-pager --output'),
  words: ['--help'],
}

/**
 * An address that is handed to a program, `git-remote-<name>`: `ext::sh -c …`, also behind `--remote=`, and `<name>://`
 * where git does not speak that itself.
 */
const HELPER_ADDRESS = /(?:^|=)(?:[\w.+-]*::|(?!(?:https?|ssh|git|git\+ssh|ssh\+git|ftps?|file):)[\w.+-]+:\/\/)/i

const NOTHING: UnsafeWords = {}

/** What git merges by itself. Of any other strategy it runs `git-merge-<name>`, a path below the working tree too. */
const STRATEGY = {
  options: ['--strategy'],
  values: new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']),
}

const STRATEGY_OR_S = { ...STRATEGY, options: ['--strategy', '-s'] }

/** Formats that git writes by itself. Others are commands of the configuration. */
const ARCHIVE_FORMAT = { options: ['--format'], values: new Set(['tar', 'zip', 'tgz', 'tar.gz']) }

/**
 * Subcommands that a rule for git as a whole covers, and what of each it does not. An allowlist, since an unknown word
 * may be an alias, which can be any shell command, or a helper that runs what it is given.
 */
const COVERED: ReadonlyMap<string, UnsafeWords> = new Map<string, UnsafeWords>([
  ...list(
    'add annotate blame branch cat-file check-attr check-ignore check-ref-format checkout cherry clean commit ' +
      'count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck gc log ls-files ls-tree ' +
      'merge-base merge-tree mv name-rev notes prune range-diff reflog replace reset restore rev-list rev-parse rm ' +
      'shortlog show show-branch show-ref sparse-checkout stage stash status switch symbolic-ref tag update-ref var ' +
      'verify-commit verify-tag version whatchanged worktree write-tree',
  ).map((name) => [name, NOTHING] as const),
  ['apply', { options: ['--build-fake-ancestor', '--unsafe-paths'] }],
  ['archive', { letters: 'o', choices: [ARCHIVE_FORMAT], shape: HELPER_ADDRESS }],
  ['bisect', { words: ['run', 'replay', 'view', 'visualize'] }],
  ['cherry-pick', { choices: [STRATEGY] }],
  ['clone', { options: ['--config', '--template'], letters: 'cu', valued: 'bjo', shape: HELPER_ADDRESS }],
  ['fetch', { shape: HELPER_ADDRESS }],
  ['format-patch', { options: ['--output-directory'], letters: 'o' }],
  ['grep', { letters: 'O', valued: 'ABCefm' }],
  ['init', { options: ['--template'] }],
  ['ls-remote', { letters: 'u', shape: HELPER_ADDRESS }],
  ['merge', { choices: [STRATEGY_OR_S], valued: 'FmsSX' }],
  ['pull', { choices: [STRATEGY_OR_S], valued: 'jorsSX', shape: HELPER_ADDRESS }],
  ['push', { shape: HELPER_ADDRESS }],
  ['rebase', { letters: 'x', choices: [STRATEGY_OR_S], valued: 'CrsSX' }],
  ['remote', { shape: HELPER_ADDRESS }],
  ['revert', { choices: [STRATEGY] }],
  ['submodule', { words: ['foreach'], shape: HELPER_ADDRESS }],
])

/** The same for some that only a rule that names them covers. */
const NAMED: ReadonlyMap<string, UnsafeWords> = new Map<string, UnsafeWords>([
  ['bugreport', { options: ['--output-directory'], letters: 'o' }],
  ['checkout-index', { options: ['--prefix'] }],
  ['diagnose', { options: ['--output-directory'], letters: 'o' }],
  ['fast-export', { options: ['--export-marks'] }],
  ['fast-import', { options: ['--export-marks', '--export-pack-edges', '--allow-unsafe-features'] }],
  ['index-pack', { letters: 'o' }],
  ['mailsplit', { letters: 'o' }],
  ['read-tree', { options: ['--index-output'] }],
])

/** Subcommands whose purpose is to run something else: no prefix rule covers them, not even one that names them. */
const RUNNERS: ReadonlySet<string> = new Set(
  list(
    'archimport citool credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon difftool ' +
      'difftool--helper filter-branch for-each-repo gui help hook http-backend imap-send instaweb maintenance merge-index ' +
      'mergetool p4 receive-pack remote-ext remote-fd send-email shell submodule--helper svn upload-archive upload-pack ' +
      'web--browse',
  ),
)

/** With `git config`, what only reads. Anything else can name a program for git to run: an alias, a pager, a hook. */
const CONFIG_READS: ReadonlySet<string> = new Set(
  list('get list --get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool'),
)

/**
 * Why a prefix rule does not cover a git command.
 * @param fixed how many of the words the rule itself names, `git` among them
 */
export function judgeGit(words: readonly string[], fixed: number): string | undefined {
  if (words.length === 2 && HELP.has(words[1]!)) return undefined
  const at = words.findIndex((word, index) => index > 0 && !BEFORE.has(word))
  const subcommand = words[at]
  if (subcommand === undefined) return undefined
  if (subcommand.startsWith('-') || RUNNERS.has(subcommand)) return runsOrWrites(subcommand, 'git')
  const rest = words.slice(at + 1)
  if (subcommand === 'config') {
    if (CONFIG_READS.has(rest[0] ?? '')) return undefined
    return `${runsOrWrites('config', 'git')} unless it reads ("git config --get")`
  }
  const unsafe = COVERED.get(subcommand)
  // What the rule names itself was agreed to, an extension such as "git lfs" for one.
  if (unsafe === undefined && at >= fixed) return runsOrWrites(subcommand, 'git')
  const word =
    findUnsafeWord(rest, EVERYWHERE) ??
    findUnsafeWord(rest, unsafe ?? NAMED.get(subcommand) ?? { shape: HELPER_ADDRESS })
  return word === undefined ? undefined : runsOrWrites(word, 'git')
}

/** The paths that `git` is told to remove, to move, to clean, to restore or to stash. */
function mutateByGit(words: readonly string[]): readonly MutatedPath[] {
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

export const GIT: Program = {
  names: ['git'],
  judge: judgeGit,
  mutates: mutateByGit,
  wraps: { subcommands: ['bisect run'], folder: ['-C'] },
  examples: {
    permitted: ['git', 'git --no-pager log -p', 'git commit -m x', 'git config --get user.name'],
    refused: ['git -c a.b=id log', 'git log --output=x', 'git clone ext::id', 'git bisect run id', 'git unknown'],
    mutates: [
      ['git rm -r a', 'a'],
      ['git -C b clean -fd a', 'b/a'],
      ['git -C b bisect run rm -r a', 'b/a'],
      ['git worktree remove --force a', 'a'],
      ['git submodule deinit a', 'a'],
      ['git stash -u', '.'],
    ],
    harmless: ['git rm -r --cached a', 'git log a'],
  },
}
