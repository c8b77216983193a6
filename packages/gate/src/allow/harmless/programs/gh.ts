import type { HarmlessProgram, WordCheck } from '../program.ts'
import { isHarmlessJq } from '../languages/jq.ts'

const LIST = `
    -L,--limit= --json= -q,--jq= -t,--template= -s,--state= -S,--search= -l,--label= -a,--assignee= -A,--author=
    --app= !-w,--web
  `
const VIEW = '--json= -q,--jq= -t,--template= -c,--comments !-w,--web'
const EDIT = `
    -t,--title= -b,--body= --add-label= --remove-label= --add-assignee= --remove-assignee= --add-reviewer=
    --remove-reviewer= --add-project= --remove-project= -m,--milestone= --remove-milestone -B,--base=
    !-F,--body-file=
  `
const CREATE = `
    -t,--title= -b,--body= -l,--label= -a,--assignee= -m,--milestone= -p,--project= -B,--base= -H,--head=
    -d,--draft -f,--fill --fill-first --fill-verbose --no-maintainer-edit -r,--reviewer= --dry-run !--recover=
    !-F,--body-file= !-T,--template= !-e,--editor !-w,--web
  `
const SEARCH = `
    -L,--limit= --json= -q,--jq= -t,--template= --sort= --order= --match= --owner= -R,--repo= --language=
    --state= --label= --author= --assignee= --mentions= --involves= --commenter= --created= --updated= --closed=
    --merged --merged-at= --draft --review= --review-requested= --reviewed-by= --checks= -B,--base= -H,--head=
    --topic= --stars= --forks= --license= --visibility= --archived --include-forks= --include-prs --locked
    --no-assignee --no-label --no-milestone --no-project --milestone= --comments= --reactions= --interactions=
    --filename= --extension= --size= --followers= --pushed= --good-first-issues= --help-wanted-issues=
    --number-topics= --author-date= --author-name= --author-email= --committer= --committer-date= --hash=
    --merge --parent= --tree= --draft !-w,--web
  `
const JQ = { '-q': isHarmlessJq }

/** No options for git, which `gh` hands on behind "--". */
const NO_OPTIONS: WordCheck = (word) => !word.startsWith('-')

/** A repository of GitHub's: one on another server is sent what the command holds, and a token perhaps. */
const isRepository: WordCheck = (name) => /^(?:(?:https:\/\/)?github\.com\/)?[^/:@]+\/[^/:@]+$/.test(name)

/** A repository of GitHub's, also by its name alone or as git addresses it. */
const isNameOrRepository: WordCheck = (name) =>
  /^[\w.-]+$/.test(name) || isRepository(name.replace(/^git@github\.com:/, ''))

/** No address of another server. */
const isOnGitHub: WordCheck = (word) => !word.includes('://') || word.startsWith('https://github.com/')

/** An issue, or the repository that it goes to. */
const isIssueOrRepository: WordCheck = (word) =>
  /^#?\d+$/.test(word) || word.startsWith('https://github.com/') || isRepository(word)

export const GH: HarmlessProgram = {
  names: 'gh',
  syntax: 'pflag',
  everywhere: '-h,--help',
  before: '--version -R,--repo=',
  values: { '-R': isRepository },
  operands: isOnGitHub,
  uses: {
    api: {
      options: `
          -X,--method= -f,--raw-field= -F,--field= -H,--header= -i,--include --paginate --slurp -q,--jq=
          -t,--template= -p,--preview= --silent --verbose --cache= !--input= !--hostname=
        `,
      // A field "@name" is what stands in a file.
      values: { ...JQ, '-F': (field) => !/=\s*@/.test(field) && field.includes('=') },
      operands: (word) => !word.includes('://') && NO_OPTIONS(word),
    },
    'alias list,extension list,extension search,ext list,org list,ssh-key list,gpg-key list,config get,config list,licenses,completion,version':
      '-L,--limit= --sort= --order= --owner= --license= --json= -h,--host= -s,--shell=',
    'auth status': '-a,--active -h,--hostname= --json= !-t,--show-token',
    'cache list,cache ls': { options: `${LIST} -k,--key= -r,--ref= -R,--repo= -O,--order= --sort=`, values: JQ },
    'cache delete': '-a,--all -r,--ref= -R,--repo= --succeed-on-no-caches',
    'gist list,gist ls': '-L,--limit= --public --secret --filter= --include-content',
    'gist view': {
      options: '-f,--filename= --files -r,--raw',
      // Of an address only the identifier is used.
      operands: () => true,
    },
    'issue list,issue ls,issue status': { options: `-R,--repo= ${LIST} -m,--milestone= --mention=`, values: JQ },
    'issue view,issue comment': {
      options: `
        -R,--repo= ${VIEW} -b,--body= --edit-last --delete-last --yes --create-if-none !-F,--body-file=
        !-e,--editor
      `,
      values: JQ,
    },
    'issue create,issue new': `-R,--repo= ${CREATE}`,
    'issue edit': `-R,--repo= ${EDIT}`,
    'issue close,issue reopen,issue delete,issue lock,issue unlock,issue pin,issue unpin,issue transfer': {
      options: '-R,--repo= -c,--comment= -r,--reason= --duplicate-of= --yes',
      values: { '--duplicate-of': isOnGitHub },
      operands: isIssueOrRepository,
    },
    'issue develop': {
      options: '-R,--repo= -l,--list -b,--base= -n,--name= --branch-repo= -c,--checkout',
      values: { '--branch-repo': isRepository },
      operands: isIssueOrRepository,
    },
    'label clone': { options: '-R,--repo= -f,--force', operands: isRepository },
    'label list,label create,label edit,label delete': {
      options: `
          -R,--repo= -L,--limit= --json= -q,--jq= -t,--template= -S,--search= --sort= --order= -c,--color=
          -d,--description= -n,--name= -f,--force --yes
        `,
      values: JQ,
    },
    'pr list,pr ls,pr status': {
      options: `-R,--repo= ${LIST} -B,--base= -H,--head= -d,--draft -c,--conflict-status`,
      values: JQ,
    },
    'pr view,pr diff,pr checks': {
      options: `
        -R,--repo= ${VIEW} --name-only --patch --color= -e,--exclude= --required --watch -i,--interval=
        --fail-fast
      `,
      values: JQ,
    },
    'pr create,pr new': `-R,--repo= ${CREATE}`,
    'pr edit': `-R,--repo= ${EDIT}`,
    'pr comment,pr review': `
        -R,--repo= -b,--body= -a,--approve -c,--comment -r,--request-changes --edit-last --delete-last --yes
        --create-if-none !-F,--body-file= !-e,--editor
      `,
    'pr merge': `
        -R,--repo= -m,--merge -s,--squash -r,--rebase -d,--delete-branch -b,--body= -t,--subject= --auto
        --disable-auto --admin --match-head-commit= -A,--author-email= !-F,--body-file=
      `,
    'pr close,pr reopen,pr ready,pr lock,pr unlock,pr update-branch,pr checkout,co,pr revert': `
        -R,--repo= -c,--comment= -d,--delete-branch --undo -r,--reason= --rebase -b,--branch= --detach
        -f,--force --recurse-submodules --title= --body=
      `,
    'project list,project view,project item-list,project field-list,project item-add,project item-edit,project item-create,project item-archive,project item-delete':
      {
        options: `
            -L,--limit= --owner= --format= -q,--jq= -t,--template= --closed --url= --id= --project-id=
            --field-id= --text= --number= --date= --single-select-option-id= --iteration-id= --title= --body=
            --clear --undo --query= !-w,--web
          `,
        values: JQ,
      },
    'release list,release ls,release view': {
      options: `-R,--repo= ${VIEW} -L,--limit= --exclude-drafts --exclude-pre-releases -O,--order=`,
      values: JQ,
    },
    'release create,release new': {
      options: `
          -R,--repo= -t,--title= -n,--notes= --generate-notes --notes-start-tag= --notes-from-tag -d,--draft
          -p,--prerelease --latest --target= --verify-tag --fail-on-no-commits --discussion-category=
          !-F,--notes-file=
        `,
      // What stands behind the tag is uploaded.
      check: ({ operands }) => (operands.length > 1 ? operands.at(-1) : undefined),
    },
    'release edit,release delete,release delete-asset,release verify': `
        -R,--repo= -t,--title= -n,--notes= --draft --prerelease --latest --tag= --target= --verify-tag
        --discussion-category= -y,--yes --cleanup-tag !-F,--notes-file=
      `,
    'release download,run download': {
      options: '-R,--repo= -p,--pattern= -n,--name= -A,--archive= --skip-existing !-D,--dir= !-O,--output= !--clobber',
      named: true,
    },
    'repo list,repo ls,repo view': {
      options: `${LIST} --visibility= --source --fork --archived --no-archived --language= --topic= -b,--branch=`,
      values: JQ,
      operands: isNameOrRepository,
    },
    'repo clone': {
      options: '-u,--upstream-remote-name= --no-upstream',
      operands: NO_OPTIONS,
      check: ({ operands }) => operands.slice(0, 1).find((repository) => !isNameOrRepository(repository)),
    },
    'repo fork': {
      options: '--clone --remote --remote-name= --default-branch-only --fork-name= --org=',
      operands: NO_OPTIONS,
      check: ({ operands }) => operands.slice(0, 1).find((repository) => !isNameOrRepository(repository)),
    },
    'repo create,repo new': {
      options: `
          --public --private --internal -d,--description= -h,--homepage= --add-readme -g,--gitignore=
          -l,--license= -c,--clone --disable-issues --disable-wiki -t,--team= -p,--template=
          --include-all-branches -r,--remote= --push -s,--source=
        `,
      values: { '-p': isNameOrRepository },
      operands: isNameOrRepository,
    },
    'repo sync,repo rename,repo set-default,repo edit,repo archive,repo unarchive': {
      options: `
          -R,--repo= -b,--branch= -s,--source= --force -v,--view -u,--unset -y,--yes -d,--description=
          -h,--homepage= --default-branch= --add-topic= --remove-topic= --enable-issues --enable-wiki
          --delete-branch-on-merge --enable-auto-merge --enable-squash-merge --enable-merge-commit
          --enable-rebase-merge
        `,
      values: { '-s': isNameOrRepository },
      operands: isNameOrRepository,
    },
    'ruleset list,ruleset view,ruleset check,rs list,rs view,rs check':
      '-R,--repo= -L,--limit= -o,--org= -p,--parents --default',
    'run list,run ls': {
      options: `-R,--repo= ${LIST} -b,--branch= --commit= --created= -e,--event= -u,--user= -a,--all -s,--status= -w,--workflow=`,
      values: JQ,
    },
    'run view,run watch,run rerun,run cancel,run delete': {
      options: `
        -R,--repo= ${VIEW} -j,--job= --log --log-failed -v,--verbose --exit-status -a,--attempt= -i,--interval=
        --compact --failed -d,--debug --force
      `,
      values: JQ,
    },
    'search code,search commits,search issues,search prs,search repos': {
      options: SEARCH,
      values: JQ,
      // A text to search for may be an address.
      operands: () => true,
    },
    'secret list,secret ls,variable list,variable ls,variable get': {
      options: '-R,--repo= -e,--env= -o,--org= -u,--user -a,--app= --json= -q,--jq= -t,--template=',
      values: JQ,
    },
    'secret delete,variable delete,variable set':
      '-R,--repo= -e,--env= -o,--org= -b,--body= -v,--visibility= -r,--repos= !-f,--env-file=',
    status: '-e,--exclude= -o,--org=',
    'workflow list,workflow ls,workflow view,workflow enable,workflow disable': {
      options: '-R,--repo= -a,--all -L,--limit= --json= -q,--jq= -t,--template= -r,--ref= -y,--yaml !-w,--web',
      values: JQ,
    },
    'workflow run': {
      options: '-R,--repo= -r,--ref= -f,--raw-field= -F,--field=',
      values: { '-F': (field) => !/=\s*@/.test(field) },
    },
  },
}
