import { type HarmlessProgram, NO_OPERANDS, oneOf } from '../program.ts'
import {
  CHANGES,
  DIFF,
  GIT_REMOTES,
  LISTED,
  LOG,
  PRETTY,
  READ_CONFIG,
  SORT,
  STRATEGIES,
  diff,
  log,
} from './git-options.ts'

export const GIT: HarmlessProgram = {
  names: 'git',
  // Where these lead, another configuration counts.
  before: `
      -P,--no-pager --no-optional-locks --no-replace-objects --no-advice --literal-pathspecs --glob-pathspecs
      --noglob-pathspecs --icase-pathspecs -v,--version !-C= !-c= !--git-dir= !--work-tree= !--namespace=
      !--exec-path=? !--config-env= !-p,--paginate !--bare
    `,
  uses: {
    ...GIT_REMOTES,
    log,
    // The help of a subcommand is shown by a program that the configuration names.
    '': { operands: NO_OPERANDS },
    add: `
      -A,--all,--no-ignore-removal --no-all -u,--update -f,--force -n,--dry-run -v,--verbose -N,--intent-to-add
      --refresh --ignore-errors --ignore-missing --chmod= --renormalize --sparse --pathspec-from-file=
      --pathspec-file-nul
    `,
    apply: `
        --stat --numstat --summary --check --index --cached -3,--3way --ours --theirs --union --apply --no-add
        -R,--reverse --reject -z -p= -C= --inaccurate-eof -v,--verbose -q,--quiet --recount --whitespace=
        --ignore-whitespace,--ignore-space-change --exclude= --include= --directory= --allow-empty
        --allow-overlap --unidiff-zero
      `,
    archive: {
      options: `
          --format= --prefix= -l,--list -v,--verbose --worktree-attributes --add-virtual-file= --mtime= -#
          !-o,--output= !--remote= !--exec=
        `,
      values: { '--format': oneOf('tar zip tgz tar.gz') },
    },
    'bisect start,bisect good,bisect bad,bisect new,bisect old,bisect skip,bisect reset,bisect log,bisect terms,bisect next':
      '--term-old= --term-new= --term-good= --term-bad= --no-checkout --first-parent',
    'bisect run': { runsCode: true, named: true, passesOn: { to: 'program', from: 0 } },
    'blame,annotate': `
        -b --root --show-stats -L= -l -t -S= -p,--porcelain --line-porcelain --incremental --encoding=
        --contents= --date= -M=? -C=? -c --score-debug -f,--show-name -n,--show-number -s -e,--show-email -w
        --abbrev= --since= --ignore-rev= --ignore-revs-file= --color-lines --color-by-age --reverse
        --first-parent --progress --no-progress
      `,
    branch: {
      options: `
        ${LISTED} -a,--all -r,--remotes -v -q,--quiet -d,--delete -D -m,--move -M -c,--copy -C -f,--force
        -l,--list --show-current -u,--set-upstream-to= --unset-upstream -t,--track=? --no-track --create-reflog
        !--edit-description
      `,
      values: SORT,
    },
    'cat-file': `
        -p -t -s -e --batch=? --batch-check=? --batch-all-objects --unordered --buffer --follow-symlinks -z -Z
        --use-mailmap
      `,
    'check-attr': '-a,--all --cached -z --stdin --source=',
    'check-ignore': '-q,--quiet -v,--verbose -n,--non-matching -z --stdin --no-index',
    'check-ref-format': '--branch --normalize --[no-]allow-onelevel --refspec-pattern',
    checkout: `
        -b= -B= -q,--quiet -f,--force --ours --theirs -t,--track=? --no-track --[no-]guess -l -d,--detach
        --orphan= --conflict= -m,--merge --[no-]overlay --[no-]progress --[no-]recurse-submodules
        --ignore-skip-worktree-bits --pathspec-from-file= !-p,--patch
      `,
    cherry: '-v --abbrev=?',
    'cherry-pick': {
      options: `${CHANGES} -x -r --ff !-e,--edit !-S,--gpg-sign=?`,
      values: { '--strategy': STRATEGIES },
    },
    clean: '-d -f,--force -n,--dry-run -q,--quiet -e,--exclude= -x -X !-i,--interactive',
    commit: `
        -a,--all -m,--message= -F,--file= -C,--reuse-message= --fixup= --squash= --reset-author --short --branch
        --porcelain --long -z,--null --author= --date= -t,--template= -s,--signoff --no-signoff -n,--no-verify
        --verify --allow-empty --allow-empty-message --cleanup= --no-edit --amend --no-post-rewrite -i,--include
        -o,--only --pathspec-from-file= -u,--untracked-files=? -v,--verbose -q,--quiet --dry-run --status
        --no-status --no-gpg-sign !-p,--patch !-c,--reedit-message= !-e,--edit !-S,--gpg-sign=? !--trailer=
      `,
    config: READ_CONFIG,
    'config get,config list': `
        --all --regexp --url= --value= --fixed-value --default= --show-origin --show-scope --show-names
        --name-only --global --local --system --worktree -z,--null --type= --bool --int --path --[no-]includes
      `,
    'count-objects': '-v,--verbose -H,--human-readable',
    describe: `
        --dirty=? --broken=? --all --tags --contains --abbrev= --candidates= --exact-match --debug --long
        --match= --exclude= --always --first-parent
      `,
    'diff,diff-files,diff-index,diff-tree': diff,
    'for-each-ref': { options: `${LISTED} --count= --exclude= --stdin --start-after=`, values: SORT },
    'format-patch': {
      options: `
        ${DIFF} -n,--numbered -N,--no-numbered -k,--keep-subject --stdout --start-number= --numbered-files
        -s,--signoff --[no-]attach=? --inline=? --thread=? --no-thread --in-reply-to= --subject-prefix= --rfc=?
        -v,--reroll-count= --to= --cc= --[no-]cover-letter --base= --suffix= --zero-commit -q --root --progress
        -# --filename-max-length= --signature= --no-signature !-o,--output-directory= !--output=
      `,
      values: { '--suffix': (word) => !word.includes('/') },
    },
    fsck: `
      --unreachable --[no-]dangling --root --tags --cache --no-reflogs --[no-]full --strict --verbose
      --connectivity-only --[no-]progress --[no-]name-objects --[no-]references
    `,
    gc: '--aggressive --auto --prune=? --no-prune -q,--quiet --force --keep-largest-pack --[no-]cruft',
    grep: `
      --cached --untracked --no-index --exclude-standard --recurse-submodules -a,--text -i,--ignore-case -I
      --max-depth= -r,--recursive --no-recursive -w,--word-regexp -v,--invert-match -h -H --full-name
      -E,--extended-regexp -G,--basic-regexp -P,--perl-regexp -F,--fixed-strings -n,--line-number --column
      -l,--files-with-matches,--name-only -L,--files-without-match -z,--null -o,--only-matching -c,--count
      --color=? --no-color --break --heading -p,--show-function -# -A,--after-context= -B,--before-context=
      -C,--context= -W,--function-context -m,--max-count= --threads= -f= -e= --and --or --not --all-match
      -q,--quiet --no-textconv !-O,--open-files-in-pager=? !--textconv
    `,
    'hash-object': '-t= -w --stdin --no-filters --literally',
    init: `
      -q,--quiet --bare --object-format= --ref-format= -b,--initial-branch= --shared=? !--template=
      !--separate-git-dir=
    `,
    'whatchanged,rev-list,show,reflog,reflog show,stash list,stash show': {
      options: `
        ${LOG} -u,--include-untracked --only-untracked --disk-usage=? --quiet --objects-edge --use-bitmap-index
        --unpacked --header --no-commit-header --commit-header --filter=
      `,
      values: PRETTY,
    },
    'reflog expire,reflog delete,reflog exists,reflog list': `
        --expire= --expire-unreachable= --all -n,--dry-run --rewrite --updateref --stale-fix --verbose
        --single-worktree
      `,
    'ls-files': {
      options: `
          -c,--cached -d,--deleted -o,--others -i,--ignored -s,--stage -u,--unmerged -k,--killed -m,--modified
          -z -t -v -f --directory --no-empty-directory -x,--exclude= -X,--exclude-from= --exclude-per-directory=
          --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev=? --debug
          --eol --deduplicate --sparse --format=
        `,
    },
    'ls-tree':
      '-d -r -t -l,--long -z --name-only --name-status --object-only --full-name --full-tree --abbrev=? --format=',
    merge: {
      options: `
          --[no-]commit --no-edit !--edit --ff --no-ff --ff-only -n --stat --no-stat --compact-summary --log=?
          --no-log --[no-]signoff --squash --no-squash --[no-]verify -s,--strategy= -X,--strategy-option=
          -q,--quiet -v,--verbose --[no-]progress --[no-]autostash --allow-unrelated-histories -m,--message=
          --into-name= -F,--file= --[no-]rerere-autoupdate --overwrite-ignore --abort --quit --continue
          --cleanup= --no-gpg-sign !-S,--gpg-sign=? !-e
        `,
      values: { '-s': STRATEGIES },
    },
    'merge-base': '-a,--all --octopus --independent --is-ancestor --fork-point',
    'merge-tree': `
        --write-tree -z --name-only --[no-]messages --quiet --allow-unrelated-histories --merge-base=
        -X,--strategy-option= --stdin
      `,
    mv: '-f,--force -k -n,--dry-run -v,--verbose --sparse',
    'name-rev': '--tags --refs= --exclude= --all --annotate-stdin --name-only --no-undefined --always',
    notes: { operands: NO_OPERANDS },
    'notes list,notes show,notes add,notes append,notes copy,notes remove,notes prune,notes merge,notes get-ref': `
        -f,--force -m,--message= -F,--file= -C,--reuse-message= --allow-empty --separator=? --no-separator
        --ignore-missing --stdin -n,--dry-run -v,--verbose -q,--quiet -s,--strategy= --commit --abort --ref=
      `,
    prune: '-n,--dry-run -v,--verbose --progress --expire=',
    'range-diff': { options: `${LOG} --creation-factor= --no-dual-color`, values: PRETTY },
    'read-tree': `
        -m --reset -u -i -n,--dry-run -v --trivial --aggressive --prefix= --empty -q,--quiet
        --no-sparse-checkout !--index-output=
      `,
    rebase: {
      options: `
          --onto= --keep-base --continue --skip --abort --quit --show-current-patch --apply --empty=
          --[no-]keep-empty --[no-]reapply-cherry-picks --allow-empty-message -m,--merge -s,--strategy=
          -X,--strategy-option= --[no-]rerere-autoupdate -q,--quiet -v,--verbose --stat -n,--no-stat
          --[no-]verify -C= --no-ff -f,--force-rebase --[no-]fork-point --ignore-whitespace --whitespace=
          --committer-date-is-author-date --ignore-date,--reset-author-date --signoff -r,--rebase-merges=?
          --no-rebase-merges --[no-]autosquash --[no-]autostash --[no-]reschedule-failed-exec --[no-]update-refs
          --root !-i,--interactive !-x,--exec= !--edit-todo !-S,--gpg-sign=?
        `,
      values: { '-s': STRATEGIES },
    },
    replace: '-f,--force -d,--delete -l,--list --format= --raw !--edit',
    'rerere,rerere status,rerere diff,rerere clear,rerere forget,rerere gc,rerere remaining':
      '--[no-]rerere-autoupdate',
    reset: `
        -q,--quiet --no-quiet --soft --mixed --hard --merge --keep -N,--intent-to-add --[no-]refresh
        --[no-]recurse-submodules --pathspec-from-file= --pathspec-file-nul !-p,--patch
      `,
    restore: `
        -s,--source= -S,--staged -W,--worktree -q,--quiet --[no-]progress --ours --theirs -m,--merge --conflict=
        --ignore-unmerged --ignore-skip-worktree-bits --[no-]recurse-submodules --[no-]overlay
        --pathspec-from-file= --pathspec-file-nul !-p,--patch
      `,
    'rev-parse': `
        --default= --prefix= --verify -q,--quiet --short=? --abbrev-ref=? --symbolic --symbolic-full-name --not
        --all --branches=? --tags=? --remotes=? --glob= --exclude= --disambiguate= --absolute-git-dir --git-dir
        --git-common-dir --git-path= --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree
        --show-object-format=? --show-ref-format --is-inside-git-dir --is-inside-work-tree --is-bare-repository
        --is-shallow-repository --shared-index-path --local-env-vars --path-format= --revs-only --no-revs
        --flags --no-flags --since,--after= --until,--before= --end-of-options
      `,
    revert: { options: `${CHANGES} --reference !-e,--edit !-S,--gpg-sign=?`, values: { '--strategy': STRATEGIES } },
    rm: `
      -f,--force -n,--dry-run -r --cached --ignore-unmatch --sparse -q,--quiet --pathspec-from-file=
      --pathspec-file-nul
    `,
    shortlog: {
      options: `${LOG} -n,--numbered -s,--summary -e,--email -w=? --group= -c,--committer`,
      values: { ...PRETTY, '--group': (group) => /^(?:author|committer|trailer:[\w-]+)$/.test(group) },
    },
    'show-branch': `
        -r,--remotes -a,--all --current --topo-order --date-order --sparse --more= --list --merge-base
        --independent --no-name --sha1-name --topics -g,--reflog=? --color=? --no-color
      `,
    'show-ref': `
        --head --branches --heads --tags -d,--dereference -s,--hash=? --verify --exists --abbrev=? -q,--quiet
        --exclude-existing=?
      `,
    'sparse-checkout list,sparse-checkout set,sparse-checkout add,sparse-checkout reapply,sparse-checkout disable,sparse-checkout init,sparse-checkout check-rules':
      '--[no-]cone --[no-]sparse-index --stdin --skip-checks -z',
    stage: '-A,--all -u,--update -f,--force -n,--dry-run -v,--verbose',
    stash: {
      options: '-k,--keep-index --no-keep-index -q,--quiet -u,--include-untracked -a,--all -S,--staged -m,--message=',
      operands: NO_OPERANDS,
    },
    'stash push,stash save,stash create,stash store': `
        -k,--keep-index --no-keep-index -q,--quiet -u,--include-untracked -a,--all -S,--staged -m,--message=
        --pathspec-from-file= --pathspec-file-nul !-p,--patch
      `,
    'stash pop,stash apply,stash drop,stash clear,stash branch': '--index -q,--quiet --label-ours= --label-theirs=',
    status: `
        -s,--short -b,--branch --show-stash --porcelain=? --long -v,--verbose -u,--untracked-files=?
        --ignore-submodules=? --ignored=? -z --column=? --no-column --[no-]ahead-behind --[no-]renames
        --find-renames=?
      `,
    switch: `
        -c,--create= -C,--force-create= -d,--detach --[no-]guess -f,--force,--discard-changes -m,--merge
        --conflict= -q,--quiet --[no-]progress -t,--track=? --no-track --orphan= --ignore-other-worktrees
        --[no-]recurse-submodules
      `,
    'symbolic-ref': '-d,--delete -q,--quiet --short --[no-]recurse -m=',
    tag: {
      options: `
        ${LISTED} -a,--annotate -f,--force -d,--delete -l,--list -n=? -m,--message= -F,--file= --cleanup=
        --create-reflog --no-sign !-s,--sign !-u,--local-user= !-v,--verify !-e,--edit !--trailer=
      `,
      values: SORT,
    },
    'update-ref': '-m= -d --no-deref --create-reflog -z --stdin',
    var: '-l',
    'verify-commit,verify-tag': '-v,--verbose --raw --format=',
    version: '--build-options',
    'worktree list,worktree add,worktree remove,worktree prune,worktree move,worktree lock,worktree unlock,worktree repair': `
        -f,--force -d,--detach --[no-]checkout --[no-]guess-remote --[no-]track --lock --reason= --orphan
        -n,--dry-run --porcelain -z -v,--verbose --expire= -q,--quiet -b= -B= --[no-]relative-paths
      `,
    'write-tree': '--missing-ok --prefix=',
  },
}
