import type { Reader } from './reader-record.ts'

/** How a patch is shown. `--output`, `--ext-diff`, `--textconv`, `--submodule` and `-O` run, write or read more. */
const PATCH = {
  flags:
    '-p -u -s -z -w -b -R -a -W --patch --no-patch --raw --patch-with-stat --compact-summary --numstat --shortstat ' +
    '--summary --name-only --name-status --full-index --binary --no-renames --no-color --minimal --patience --histogram ' +
    '--check --pickaxe-all --pickaxe-regex --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change ' +
    '--ignore-all-space --ignore-blank-lines --function-context --no-ext-diff --no-textconv --no-prefix ' +
    '--find-copies-harder --exit-code --quiet',
  optional:
    '-U -B -M -C -X --unified --stat --dirstat --color --color-moved --color-words --word-diff ' +
    '--abbrev --find-renames --find-copies --relative --ignore-submodules',
  values: '-S -G -l --src-prefix --dst-prefix --inter-hunk-context --word-diff-regex --diff-filter --diff-algorithm',
}

const COMMITS = {
  flags:
    '-i -E -F -P -g -c -m -t -# --all --reverse --merges --no-merges --first-parent --no-walk --follow --oneline --graph ' +
    '--full-history --simplify-by-decoration --topo-order --date-order --author-date-order --left-right --left-only ' +
    '--right-only --cherry-mark --cherry-pick --boundary --walk-reflogs --invert-grep --all-match --regexp-ignore-case ' +
    '--abbrev-commit --no-abbrev-commit --parents --children --relative-date --no-decorate --source --notes --no-notes ' +
    '--ancestry-path --cc --reflog --full-diff',
  optional: '--format --pretty --decorate --branches --tags --remotes --min-parents --max-parents',
  values:
    '-n --max-count --skip --since --after --until --before --author --committer --grep --glob --exclude --date ' +
    '--decorate-refs',
}

const join = (...lists: readonly string[]): string => [...new Set(lists.join(' ').split(' '))].join(' ')
const LOG = {
  flags: join(PATCH.flags, COMMITS.flags),
  values: join(PATCH.values, COMMITS.values, '-L'),
  optional: join(PATCH.optional, COMMITS.optional),
}

/** Subcommands of git that read. Each may run what the repository's configuration names. */
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
    ...PATCH,
    flags: join(PATCH.flags, '-c --cached --staged --merge-base --no-index --base --ours --theirs --cc'),
    examples: ['git diff --stat HEAD~1', 'git diff --cached --name-only', 'git diff -U1 HEAD~1 -- a.txt'],
  },
  'git status': {
    flags:
      '-s -b -v -z --short --verbose --branch --show-stash --long --null --no-renames --ahead-behind --no-ahead-behind',
    optional: '-u --porcelain --untracked-files --ignored --ignore-submodules',
    examples: ['git status --short', 'git status --porcelain=v2 -uno'],
  },
  'git blame': {
    flags:
      '-b -c -e -f -k -l -n -p -s -t -w --root --porcelain --line-porcelain --incremental --show-name --show-number ' +
      '--show-email --first-parent --no-ext-diff --no-textconv',
    values: '-L --date --ignore-rev --ignore-revs-file --since',
    optional: '-M -C --abbrev',
    examples: ['git blame -L 1,1 a.txt'],
  },
  'git ls-files': {
    flags:
      '-c -d -m -o -i -s -t -u -v -f -z -k --cached --deleted --modified --others --ignored --stage --directory ' +
      '--unmerged --full-name --exclude-standard --error-unmatch --recurse-submodules --eol',
    values: '-x -X --exclude --exclude-from',
    examples: ['git ls-files -o --exclude-standard'],
  },
  'git ls-tree': {
    flags: '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree',
    values: '--format',
    optional: '--abbrev',
    examples: ['git ls-tree -r HEAD --name-only'],
  },
  'git rev-parse': {
    flags:
      '-q --quiet --verify --symbolic --symbolic-full-name --not --all --show-toplevel --show-prefix --show-cdup ' +
      '--git-dir --git-common-dir --absolute-git-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository ' +
      '--is-shallow-repository --show-superproject-working-tree --revs-only',
    optional: '--short --abbrev-ref --branches --tags --remotes --glob --since --until --path-format',
    examples: ['git rev-parse --short HEAD', 'git rev-parse --abbrev-ref HEAD', 'git rev-parse --show-toplevel'],
  },
  'git rev-list': {
    ...COMMITS,
    flags: join(COMMITS.flags, '--count --objects --header --timestamp --quiet'),
    examples: ['git rev-list --count HEAD'],
  },
  'git branch --list': {
    flags: '-a -r -v -i --all --remotes --verbose --ignore-case --show-current --no-color --no-column',
    values: '--sort --points-at --format',
    optional: '--contains --no-contains --merged --no-merged --color --column',
    examples: ["git branch --list -a 'm*'"],
  },
  'git tag --list': {
    flags: '-i --ignore-case --no-column',
    values: '--sort --points-at --format',
    optional: '-n --contains --no-contains --merged --no-merged --color --column',
    examples: ["git tag --list 'v*' --sort=-version:refname"],
  },
  'git describe': {
    flags: '--all --tags --contains --long --exact-match --always --first-parent',
    values: '--candidates --match --exclude',
    optional: '--abbrev --dirty --broken',
    examples: ['git describe --tags --always'],
  },
  'git shortlog': {
    flags: '-n -s -e -c --numbered --summary --email --committer --all --no-merges --merges',
    values: '--since --after --until --before --author --group',
    optional: '--format',
    examples: ['git shortlog -sn HEAD'],
  },
  'git cat-file': { flags: '-t -s -p -e', examples: ['git cat-file -p HEAD', 'git cat-file -t HEAD'] },
  'git grep': {
    flags:
      '-a -i -I -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -W -q -r -# --text --ignore-case --word-regexp ' +
      '--invert-match --full-name --extended-regexp --perl-regexp --fixed-strings --line-number --column ' +
      '--files-with-matches --name-only --files-without-match --only-matching --count --break --heading ' +
      '--show-function --function-context --all-match --and --or --not --quiet --cached --no-index --untracked ' +
      '--no-textconv --no-color',
    values: '-e -f -A -B -C -m --max-depth --after-context --before-context --context --threads --max-count',
    optional: '--color',
    examples: ['git grep -n a', 'git grep -e a -- "*.txt"'],
  },
  'git remote -v': { operands: 0, examples: ['git remote -v'] },
  'git stash list': { ...COMMITS, examples: ['git stash list'] },
}
