import type { Use, WordCheck } from '../program.ts'
import { isGitAddress, oneOf } from '../words.ts'

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
export const REBASE = oneOf('true false merges')

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

export const ADDRESS = { operands: isGitAddress }
