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
])

/** Help on a subcommand is shown by a program that the repository's configuration may name. Alone it is only printed. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

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
  words: ['--help'],
}

/**
 * An address that is handed to a program, `git-remote-<name>`: `ext::sh -c …`, also behind `--remote=`, and `<name>://`
 * where git does not speak that itself.
 */
const HELPER_ADDRESS = /(?:^|=)(?:[\w.+-]*::|(?!(?:https?|ssh|git|git\+ssh|ssh\+git|ftps?|file):)[\w.+-]+:\/\/)/i

const FREE: Dangerous = {}

/** What git merges by itself. Of any other strategy it runs `git-merge-<name>`, a path below the working tree too. */
const STRATEGY = {
  option: '--strategy',
  values: new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']),
}

/** Formats that git writes by itself. Others are commands of the configuration. */
const ARCHIVE_FORMAT = { option: '--format', values: new Set(['tar', 'zip', 'tgz', 'tar.gz']) }

/**
 * Subcommands that a rule for git as a whole covers, and what of each it does not. An allowlist, since an unknown word
 * may be an alias, which can be any shell command, or a helper that runs what it is given.
 */
const COVERED: ReadonlyMap<string, Dangerous> = new Map<string, Dangerous>([
  ...(
    'add annotate blame branch cat-file check-attr check-ignore check-ref-format checkout cherry clean commit ' +
    'count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck gc log ls-files ls-tree ' +
    'merge-base merge-tree mv name-rev notes prune range-diff reflog replace reset restore rev-list rev-parse rm ' +
    'shortlog show show-branch show-ref sparse-checkout stage stash status switch symbolic-ref tag update-ref var ' +
    'verify-commit verify-tag version whatchanged worktree write-tree'
  )
    .split(' ')
    .map((name) => [name, FREE] as const),
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
  ['merge', { choices: [{ ...STRATEGY, letter: 's' }], valued: 'FmsSX' }],
  ['pull', { choices: [{ ...STRATEGY, letter: 's' }], valued: 'jorsSX', shape: HELPER_ADDRESS }],
  ['push', { shape: HELPER_ADDRESS }],
  ['rebase', { letters: 'x', choices: [{ ...STRATEGY, letter: 's' }], valued: 'CrsSX' }],
  ['remote', { shape: HELPER_ADDRESS }],
  ['revert', { choices: [STRATEGY] }],
  ['submodule', { words: ['foreach'], shape: HELPER_ADDRESS }],
])

/** The same for some that only a rule that names them covers. */
const NAMED: ReadonlyMap<string, Dangerous> = new Map<string, Dangerous>([
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
  (
    'archimport citool credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon difftool ' +
    'difftool--helper filter-branch for-each-repo gui help hook http-backend imap-send instaweb maintenance merge-index ' +
    'mergetool p4 receive-pack remote-ext remote-fd send-email shell submodule--helper svn upload-archive upload-pack ' +
    'web--browse'
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
  if (words.length === 2 && HELP.has(words[1]!)) return undefined
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
  const word =
    dangerousWord(rest, EVERYWHERE) ??
    dangerousWord(rest, dangerous ?? NAMED.get(subcommand) ?? { shape: HELPER_ADDRESS })
  return word === undefined ? undefined : keeps(word)
}

function keeps(word: string, but = ''): string {
  return `${JSON.stringify(word)} can make git run or write something else${but === '' ? '' : ` ${but}`}, so that only a rule with exactly these words covers it`
}
