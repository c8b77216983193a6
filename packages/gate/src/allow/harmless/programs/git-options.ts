import { type HarmlessProgram, NO_OPERANDS, type Use, type WordCheck, isGitAddress, oneOf } from '../program.ts'

export const DIFF = `
    -p,-u,--patch -s,--no-patch -U,--unified=? --raw --stat=? --compact-summary --numstat --shortstat
    --dirstat=? --summary --name-only --name-status --submodule=? --color=? --no-color --color-moved=?
    --color-words=? --word-diff=? --[no-]renames --check --full-index --binary -a,--text --abbrev=?
    -B,--break-rewrites=? -M,--find-renames=? -C,--find-copies=? --find-copies-harder -D,--irreversible-delete
    -l= --diff-filter= -S= -G= --find-object= --pickaxe-all --pickaxe-regex -R --relative=? --no-relative
    -b,--ignore-space-change -w,--ignore-all-space --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
    -I,--ignore-matching-lines= --inter-hunk-context= -W,--function-context --exit-code --quiet --no-ext-diff
    --no-textconv --ignore-submodules=? --src-prefix= --dst-prefix= --no-prefix --line-prefix= -z --minimal
    --patience --histogram --diff-algorithm= --anchored= --merge-base -m -c --cc --diff-merges= --no-diff-merges
    --combined-all-paths --output-indicator-new= --output-indicator-old=
  `

export const LOG = `
    ${DIFF} --oneline --graph --no-graph --decorate=? --no-decorate --decorate-refs= --source --format=
    --pretty=? --abbrev-commit --no-abbrev-commit --encoding= --date= --relative-date --parents --children
    --left-right --show-pulls --follow --all --branches=? --tags=? --remotes=? --glob= --exclude= --reflog --not
    --stdin -n,--max-count= -# --skip= --since,--after= --until,--before= --since-as-filter= --author=
    --committer= --grep= --all-match --invert-grep -i,--regexp-ignore-case -E,--extended-regexp
    -F,--fixed-strings -P,--perl-regexp --merges --no-merges --min-parents= --max-parents= --first-parent
    --cherry --cherry-pick --cherry-mark --left-only --right-only -g,--walk-reflogs --boundary --simplify-merges
    --simplify-by-decoration --full-history --dense --sparse --ancestry-path=? --date-order --author-date-order
    --topo-order --reverse --objects --no-walk=? --count --timestamp --no-notes --notes=? --show-notes=?
    --no-mailmap --mailmap --use-mailmap -L= -t --root --full-diff --log-size --ignore-missing --bisect
  `

const FORMAT =
  /^(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw|(?:t?format:)?(?:[^%]|%%|%[-+ ]?(?:[HhTtPpsSfbBNnmdDe]|[ac][nNeElLdDrtiIshH]|g[dDnNeEs]|C(?:red|green|blue|reset|\([\w #,]*\))|x[\da-fA-F]{2}|w\([\d, ]*\)|[<>|]+\([\w, ]*\)|\((?:trailers|describe|decorate)[^()]*\)))*)$/

/** No signature is shown, which git would have another program check, and no format of the repository's configuration. */
const isFormat: WordCheck = (word) => word === '' || (FORMAT.test(word) && (/[%:]/.test(word) || NAMED_FORMATS(word)))
const NAMED_FORMATS = oneOf('oneline short medium full fuller reference email mboxrd raw')

const FIELDS =
  /^(?:[^%]|%%|%[\da-f]{2}|%\((?:\*?(?:refname|object(?:type|size|name)|deltabase|upstream|push|HEAD|symref|worktreepath|ahead-behind|is-base|describe|numparent|parent|tree|object|type|tag|(?:author|committer|tagger|creator)(?:name|email|date)?|subject|body|contents|trailers|raw|color|align|if|then|else|end)(?::[^()]*)?)\))*$/

const areFields: WordCheck = (word) => FIELDS.test(word) && !/%\(\*?contents:signature/.test(word)

/** One field, as `areFields` knows it: `-committerdate`, `v:refname`. */
const isSortKey: WordCheck = (word) => areFields(`%(${word.replace(/^-?(?:v:|version:)?/, '')})`)

export const SORT = { '--format': areFields, '--sort': isSortKey }
export const PRETTY = { '--format': isFormat, '--pretty': isFormat }

/** What git merges by itself. Of any other strategy it runs `git-merge-<name>`. */
export const STRATEGIES = oneOf('ort recursive resolve octopus ours subtree')
const REBASE = oneOf('true false merges')

export const log = { options: LOG, values: PRETTY }
export const diff = {
  options: `
    ${DIFF} --cached,--staged --no-index -0 -1 -2 -3 --base --ours --theirs -r --root --no-commit-id -t --stdin
    -v
  `,
}

export const CHANGES = `
    --abort --continue --skip --quit -n,--no-commit --no-edit -m,--mainline= -s,--signoff --strategy=
    -X,--strategy-option= --allow-empty --allow-empty-message --keep-redundant-commits --empty=
    --[no-]rerere-autoupdate --cleanup=
  `

export const LISTED = `
    --sort= --contains=? --no-contains=? --merged=? --no-merged=? --points-at= --format= --color=? --no-color
    --column=? --no-column --abbrev=? --no-abbrev -i,--ignore-case --omit-empty
  `

export const READ_CONFIG: Use = {
  options: `
      --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list,-l --all --regexp
      --show-origin --show-scope --show-names --name-only --global --local --system --worktree -z,--null --type=
      --bool --int --path --default= --[no-]includes !-f,--file= !--blob= !-e,--edit !--add !--unset
      !--unset-all !--replace-all
    `,
  check: ({ operands, options }) => {
    const reads = options.some(({ name }) => name.startsWith('--get') || name === '--list')
    // One name alone is read; with a value behind it, it is set.
    return reads || (operands.length === 1 && !['list', 'edit'].includes(operands[0]!)) ? undefined : operands.at(-1)
  },
}

const ADDRESS = { operands: isGitAddress }

/** What git does with other repositories, and its extensions. */
export const GIT_REMOTES: HarmlessProgram['uses'] = {
  clone: {
    options: `
        -l,--local --no-hardlinks -s,--shared --reference= --reference-if-able= --dissociate -q,--quiet
        -v,--verbose --progress -n,--no-checkout --[no-]reject-shallow --bare --sparse --filter=
        --also-filter-submodules --mirror -o,--origin= -b,--branch= --revision= --depth= --shallow-since=
        --shallow-exclude= --[no-]single-branch --no-tags --tags --recurse-submodules,--recursive=?
        --[no-]shallow-submodules --[no-]remote-submodules -j,--jobs= --ref-format= -4,--ipv4 -6,--ipv6
        !-u,--upload-pack= !-c,--config= !--template= !--separate-git-dir= !--bundle-uri=
      `,
    operands: isGitAddress,
  },
  fetch: {
    options: `
        --all --no-all -a,--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow
        --update-shallow --negotiation-tip= --dry-run --porcelain --[no-]write-fetch-head -f,--force -k,--keep
        --multiple --[no-]auto-maintenance --[no-]auto-gc -p,--prune --no-prune -P,--prune-tags -n,--no-tags
        --refetch --refmap= -t,--tags --recurse-submodules=? --no-recurse-submodules -j,--jobs= --set-upstream
        -u,--update-head-ok -q,--quiet -v,--verbose --progress -o,--server-option= --[no-]show-forced-updates
        -4,--ipv4 -6,--ipv6 --filter= --stdin !--upload-pack=
      `,
    operands: isGitAddress,
  },
  'lfs ls-files,lfs status,lfs version,lfs env,lfs locks,lfs fsck':
    '-l,--long -s,--size -n,--name-only -a,--all -d,--debug --deleted --porcelain --json -j',
  'lfs pull,lfs fetch,lfs checkout,lfs prune': {
    options: '-I,--include= -X,--exclude= -a,--all -p,--prune -r,--recent --dry-run -d -f,--force -v,--verbose',
  },
  'lfs track,lfs untrack': '-v,--verbose --dry-run --filename --lockable -l --not-lockable --no-excluded',
  'ls-remote': {
    options: `
        -h,--heads --branches -b -t,--tags --refs -q,--quiet --exit-code --get-url --sort= --symref
        -o,--server-option= !--upload-pack= !--exec=
      `,
    values: { '--sort': SORT['--sort'] },
    operands: isGitAddress,
  },
  pull: {
    options: `
        -q,--quiet -v,--verbose --progress --recurse-submodules=? --no-recurse-submodules --[no-]commit
        --no-edit --ff --no-ff --ff-only -n --stat --no-stat --log=? --no-log --[no-]signoff --squash
        --no-squash --[no-]verify -s,--strategy= -X,--strategy-option= --[no-]autostash
        --allow-unrelated-histories -r,--rebase=? --no-rebase --all --no-all -a,--append --depth= --deepen=
        --shallow-since= --unshallow --update-shallow --dry-run -f,--force -k,--keep -p,--prune --no-prune
        -t,--tags --no-tags -j,--jobs= --set-upstream -4,--ipv4 -6,--ipv6 -o,--server-option= !-S,--gpg-sign=?
        !--upload-pack= !--edit
      `,
    values: { '-s': STRATEGIES, '-r': REBASE },
    operands: isGitAddress,
  },
  push: {
    options: `
        --all --branches --prune --mirror -n,--dry-run --porcelain -d,--delete --tags --follow-tags
        --no-signed --[no-]atomic -o,--push-option= --force-with-lease=? --no-force-with-lease
        --[no-]force-if-includes -f,--force --repo= -u,--set-upstream --[no-]thin -q,--quiet -v,--verbose
        --progress --recurse-submodules=? --no-recurse-submodules --[no-]verify -4,--ipv4 -6,--ipv6
        !--signed=? !--receive-pack= !--exec=
      `,
    values: { '--repo': isGitAddress },
    operands: isGitAddress,
  },
  remote: { options: '-v,--verbose', operands: NO_OPERANDS },
  'remote add,remote set-url': { options: '-f -t= -m= --[no-]tags --mirror=? --push --add --delete', ...ADDRESS },
  'remote get-url,remote rename,remote remove,remote rm,remote prune,remote set-head,remote set-branches,remote show,remote update':
    {
      ...ADDRESS,
      options: '--push --all -a,--auto -d,--delete --add -n,--dry-run --[no-]progress -p,--prune -v,--verbose',
    },
  submodule: { options: '-q,--quiet --cached --recursive', operands: NO_OPERANDS },
  'submodule status,submodule init,submodule deinit,submodule sync,submodule summary,submodule absorbgitdirs':
    '-q,--quiet --cached --recursive -f,--force --all -n,--summary-limit= --files',
  'submodule update,submodule add': {
    options: `
        -q,--quiet --init --remote -N,--no-fetch -f,--force --checkout --merge --rebase
        --[no-]recommend-shallow --reference= --recursive --depth= -j,--jobs= --[no-]single-branch --progress
        -b,--branch= --name= --filter=
      `,
    ...ADDRESS,
  },
  'town sync,town status,town switch,town branch,town config,town hack,town append,town prepend':
    '-a,--all --dry-run -v,--verbose',
}
