import { type Dangerous, dangerousWord } from './options.ts'

/** Options before the subcommand that change nothing but the output. All others can change what git runs or where. */
const BEFORE: ReadonlySet<string> = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--no-replace-objects',
  '--no-advice',
  '--literal-pathspecs',
  '--glob-pathspecs',
  '--noglob-pathspecs',
  '--icase-pathspecs',
  '--version',
  '-v',
  '--help',
  '-h',
])

/** Options that run a program or write a file of the caller's choice, with whatever subcommand takes them. */
const EVERYWHERE: Dangerous = {
  options: [
    '--exec',
    '--exec-path',
    '--config-env',
    '--upload-pack',
    '--receive-pack',
    '--extcmd',
    '--open-files-in-pager',
    '--output',
  ],
}

/** An address that is handed to a program: `ext::sh -c …`, also behind `--remote=`. */
const HELPER_ADDRESS = /(?:^|=)[\w.+-]*::/

const FREE: Dangerous = {}

/**
 * Subcommands that a rule for git as a whole covers, and what of each it does not. An allowlist, since an unknown word
 * may be an alias, which can be any shell command, or a helper that runs what it is given.
 */
const COVERED: ReadonlyMap<string, Dangerous> = new Map<string, Dangerous>([
  ...(
    'add annotate apply blame branch cat-file check-attr check-ignore check-ref-format checkout cherry cherry-pick clean ' +
    'commit count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck gc log ls-files ls-tree merge ' +
    'merge-base merge-tree mv name-rev notes prune range-diff reflog replace reset restore rev-list rev-parse revert rm ' +
    'shortlog show show-branch show-ref sparse-checkout stage stash status switch symbolic-ref tag update-ref var ' +
    'verify-commit verify-tag version whatchanged worktree write-tree'
  )
    .split(' ')
    .map((name) => [name, FREE] as const),
  ['archive', { letters: 'o', shape: HELPER_ADDRESS }],
  ['bisect', { words: ['run', 'replay', 'view', 'visualize'] }],
  ['clone', { options: ['--config', '--template'], letters: 'cu', shape: HELPER_ADDRESS }],
  ['fetch', { shape: HELPER_ADDRESS }],
  ['format-patch', { options: ['--output-directory'], letters: 'o' }],
  ['grep', { letters: 'O' }],
  ['init', { options: ['--template'] }],
  ['ls-remote', { letters: 'u', shape: HELPER_ADDRESS }],
  ['pull', { shape: HELPER_ADDRESS }],
  ['push', { shape: HELPER_ADDRESS }],
  ['rebase', { letters: 'x' }],
  ['remote', { shape: HELPER_ADDRESS }],
  ['submodule', { words: ['foreach'], shape: HELPER_ADDRESS }],
])

/** Subcommands whose purpose is to run something else: no prefix rule covers them, not even one that names them. */
const RUNNERS: ReadonlySet<string> = new Set(
  (
    'citool credential cvsserver daemon difftool difftool--helper filter-branch for-each-repo gui hook http-backend ' +
    'imap-send instaweb maintenance merge-index mergetool p4 receive-pack remote-ext remote-fd send-email shell ' +
    'submodule--helper svn upload-archive upload-pack web--browse'
  ).split(' '),
)

/** With `git config`, what only reads. Anything else can name a program for git to run: an alias, a pager, a hook. */
const CONFIG_READS: ReadonlySet<string> = new Set(
  'get list --get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool'.split(' '),
)

/**
 * Why a prefix rule does not cover a git command, as a clause.
 * @param fixed how many of the words the rule itself names, `git` among them
 */
export function uncoveredByGit(words: readonly string[], fixed: number): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && !BEFORE.has(word))
  const subcommand = words[at]
  if (subcommand === undefined) return undefined
  if (subcommand.startsWith('-')) return keeps(subcommand)
  if (RUNNERS.has(subcommand)) return keeps(subcommand)
  const rest = words.slice(at + 1)
  if (subcommand === 'config')
    return CONFIG_READS.has(rest[0] ?? '') ? undefined : keeps('config', 'unless it reads ("git config --get")')
  const dangerous = COVERED.get(subcommand)
  // What the rule names itself was agreed to, an extension such as "git lfs" for one.
  if (dangerous === undefined && at >= fixed) return keeps(subcommand)
  const word = dangerousWord(rest, EVERYWHERE) ?? dangerousWord(rest, dangerous ?? FREE)
  return word === undefined ? undefined : keeps(word)
}

function keeps(word: string, but = ''): string {
  return `${JSON.stringify(word)} can make git run or write something else${but === '' ? '' : ` ${but}`}, so that only a rule with exactly these words covers it`
}
