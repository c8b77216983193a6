import type { Reader } from './readers.ts'

/** How a patch is shown. `--output`, `--ext-diff`, `--textconv`, `--submodule` and `-O` run, write or read more. */
const PATCH = {
  flags:
    '-p -u -s -z -w -b -R -a --patch --no-patch --raw --patch-with-raw --patch-with-stat --compact-summary --numstat ' +
    '--shortstat --summary --name-only --name-status --full-index --binary --no-renames --no-color ' +
    '--indent-heuristic ' +
    '--no-indent-heuristic --minimal --patience --histogram --check --pickaxe-all --pickaxe-regex --text ' +
    '--ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
    '--function-context -W --no-ext-diff --no-textconv --no-prefix --default-prefix --find-copies-harder --exit-code ' +
    '--quiet --no-relative --cumulative --no-color-moved --ita-invisible-in-index --irreversible-delete -D',
  optional:
    '-U --unified --stat --stat-width --stat-name-width --stat-count --dirstat --color --color-moved ' +
    '--color-moved-ws ' +
    '--color-words --word-diff --word-diff-regex --abbrev -B -M -C -X --find-renames --find-copies --break-rewrites ' +
    '--diff-filter --diff-algorithm --relative --ignore-submodules --ws-error-highlight',
  values: '-S -G -l --src-prefix --dst-prefix --inter-hunk-context --line-prefix --ignore-matching-lines --anchored',
}

const COMMITS = {
  flags:
    '-i -E -F -P -g -c -m -t -# --all --reverse --merges --no-merges --first-parent --no-walk --follow --oneline ' +
    '--graph ' +
    '--full-history --simplify-by-decoration --simplify-merges --dense --sparse --topo-order --date-order ' +
    '--author-date-order --left-right --left-only --right-only --cherry-mark --cherry-pick --cherry --boundary ' +
    '--walk-reflogs --invert-grep --all-match --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings ' +
    '--perl-regexp --abbrev-commit --no-abbrev-commit --parents --children --relative-date --no-decorate --source ' +
    '--use-mailmap --mailmap --no-mailmap --log-size --full-diff --notes --no-notes --no-expand-tabs --ancestry-path ' +
    '--cc --remove-empty --no-min-parents --no-max-parents --reflog --stdin --ignore-missing --bisect --no-graph ' +
    '--clear-decorations --no-show-signature',
  optional:
    '--format --pretty --decorate --branches --tags --remotes --glob --exclude --min-parents --max-parents --date ' +
    '--encoding --expand-tabs --show-notes --diff-merges --decorate-refs --decorate-refs-exclude',
  values:
    '-n -L --max-count --skip --since --after --until --before --author --committer --grep --grep-reflog ' +
    '--since-as-filter',
}

const join = (...lists: readonly string[]): string => [...new Set(lists.join(' ').split(' '))].join(' ')
const LOG = {
  flags: join(PATCH.flags, COMMITS.flags),
  values: join(PATCH.values, COMMITS.values),
  optional: join(PATCH.optional, COMMITS.optional),
  unless: '--no-ext-diff --no-textconv',
} as const

/**
 * Subcommands of git that read. A format with `%G` is refused for all of them: it runs the program that checks
 * signatures.
 */
export const GIT_READERS: Readonly<Record<string, Reader>> = {
  'git log': {
    ...LOG,
    examples: [
      'git log --oneline -5',
      'git log -p --stat HEAD~1 -- a.txt',
      "git log --since='2 weeks ago' --format='%h %s'",
    ],
  },
  'git show': { ...LOG, examples: ['git show HEAD:a.txt', 'git show --stat HEAD'] },
  'git diff': {
    flags: join(PATCH.flags, '--cached --staged --merge-base --no-index -0 -1 -2 -3 --base --ours --theirs --cc -c'),
    values: PATCH.values,
    optional: PATCH.optional,
    unless: '--no-ext-diff --no-textconv',
    examples: ['git diff --stat HEAD~1', 'git diff --cached --name-only', 'git diff -U1 HEAD~1 -- a.txt'],
  },
  'git status': {
    flags:
      '-s -b -z --short --branch --show-stash --long --null --no-renames --ahead-behind --no-ahead-behind --no-column',
    optional: '-u --porcelain --untracked-files --ignored --ignore-submodules --find-renames --column',
    examples: ['git status --short', 'git status --porcelain=v2 -uno'],
  },
  'git blame': {
    flags:
      '-b -c -e -f -k -l -n -p -s -t -w --root --show-stats --porcelain --line-porcelain --incremental --show-name ' +
      '--show-number --show-email --score-debug --no-progress --first-parent --no-ext-diff --no-textconv',
    values: '-L --date --ignore-rev --ignore-revs-file --since',
    optional: '-M -C --abbrev',
    unless: '--no-textconv',
    examples: ['git blame -L 1,1 a.txt'],
  },
  'git ls-files': {
    flags:
      '-c -d -m -o -i -s -t -u -v -f -z -k --cached --deleted --modified --others --ignored --stage --directory ' +
      '--no-empty-directory --killed --unmerged --deduplicate --full-name --exclude-standard --error-unmatch ' +
      '--recurse-submodules --eol --sparse',
    values: '-x -X --exclude --exclude-from --exclude-per-directory',
    optional: '--with-tree --abbrev --format',
    examples: ['git ls-files -o --exclude-standard'],
  },
  'git ls-tree': {
    flags: '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree',
    optional: '--abbrev --format',
    examples: ['git ls-tree -r HEAD --name-only'],
  },
  'git rev-parse': {
    flags:
      '-q --quiet --verify --symbolic --symbolic-full-name --sq --not --all --show-toplevel --show-prefix ' +
      '--show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-git-dir --is-inside-work-tree ' +
      '--is-bare-repository --is-shallow-repository --show-superproject-working-tree --shared-index-path ' +
      '--revs-only --no-revs --flags --no-flags --local-env-vars',
    optional:
      '--short --abbrev-ref --branches --tags --remotes --glob --since --until --path-format --show-object-format ' +
      '--default',
    examples: ['git rev-parse --short HEAD', 'git rev-parse --abbrev-ref HEAD', 'git rev-parse --show-toplevel'],
  },
  'git rev-list': {
    flags: join(
      COMMITS.flags,
      '--count --objects --header --timestamp --quiet --disk-usage --unpacked --in-commit-order --no-object-names',
    ),
    values: COMMITS.values,
    optional: COMMITS.optional,
    examples: ['git rev-list --count HEAD'],
  },
  'git branch --list': {
    flags: '-a -r -v -i --all --remotes --verbose --ignore-case --show-current --no-color --no-column --no-abbrev',
    values: '--sort --points-at --format',
    optional: '--contains --no-contains --merged --no-merged --color --column --abbrev',
    examples: ["git branch --list -a 'm*'"],
  },
  'git tag --list': {
    flags: '-i --ignore-case --no-column',
    values: '--sort --points-at',
    optional: '-n --format --contains --no-contains --merged --no-merged --color --column',
    examples: ["git tag --list 'v*' --sort -version:refname"],
  },
  'git describe': {
    flags: '--all --tags --contains --debug --long --exact-match --always --first-parent',
    values: '--candidates --match --exclude',
    optional: '--abbrev --dirty --broken',
    examples: ['git describe --tags --always'],
  },
  'git shortlog': {
    flags: '-n -s -e -c --numbered --summary --email --committer --all --no-merges --merges',
    values: '--since --after --until --before --author',
    optional: '-w --group --format',
    examples: ['git shortlog -sn HEAD'],
  },
  'git cat-file': {
    flags: '-t -s -p -e --allow-unknown-type',
    examples: ['git cat-file -p HEAD', 'git cat-file -t HEAD'],
  },
  'git grep': {
    flags:
      '-a -i -I -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -W -q -r -# --text --ignore-case --word-regexp ' +
      '--invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number ' +
      '--column --files-with-matches --name-only --files-without-match --null --only-matching --count --break ' +
      '--heading --show-function --function-context --all-match --and --or --not --quiet --recursive --no-recursive ' +
      '--cached --no-index --untracked --no-exclude-standard --exclude-standard --no-textconv --no-color',
    values: '-e -f -A -B -C -m --max-depth --after-context --before-context --context --threads --max-count',
    optional: '--color',
    unless: '--no-textconv',
    examples: ['git grep -n a', 'git grep -e a -- "*.txt"'],
  },
  'git remote -v': { operands: 0, examples: ['git remote -v'] },
  'git stash list': {
    flags: COMMITS.flags,
    values: COMMITS.values,
    optional: COMMITS.optional,
    examples: ['git stash list'],
  },
}
