/** The rules of the skill under which all commands are tried. */
export const COMMAND_RULES = [
  'git log',
  'git grep',
  'git diff',
  'git fetch',
  'git archive',
  'git difftool',
  'git cherry-pick',
  'gh',
  'declare',
  'find',
  'sed',
  'tar',
  'awk',
  'ls',
].map((prefix) => `Bash(${prefix}:*)`)

/** Commands that these rules match. */
export const ALLOWED_COMMANDS: readonly string[] = [
  'git log --oneline -20',
  "git diff 'HEAD~1'",
  'git grep needle',
  'find . -name a.md',
  'git cherry-pick --strategy=ort main',
  'gh pr view 1',
  'tar --list --file=a.tar',
  'ls -la',
  // Of a program whose options are not known, a rule promises only its own words.
  'awk \'BEGIN{system("id")}\'',
]

/** Commands that only look as if the rules matched them. */
const COMMAND_CASES: readonly { readonly abuse: number; readonly refused: readonly string[] }[] = [
  { abuse: 35, refused: ['gitx log', 'GIT log', './git log', 'git\u00a0log', 'PATH=.:$PATH git log'] },
  {
    abuse: 36,
    refused: [
      'git log; rm -rf .',
      'git log && rm -rf .',
      'git log || rm -rf .',
      'git log | sh',
      'git log & rm -rf .',
      'git log\nrm -rf .',
      'git log $(rm -rf .)',
      'git log `rm -rf .`',
      'git log <(rm -rf .)',
      'git log > /etc/passwd',
      'git log << EOF\nx\nEOF',
      '(git log)',
      'time git log',
      'if git log; then id; fi',
    ],
  },
  {
    abuse: 37,
    refused: ['[[ -v a[$(id)] ]]', 'declare a=1', 'git log ${x@P}', 'git log "$(id)"'],
  },
  { abuse: 38, refused: ['GIT_PAGER="rm -rf ." git log', 'LD_PRELOAD=./x.so git log'] },
  {
    abuse: 39,
    refused: [
      "git -c alias.x='!id' x",
      "git -c core.fsmonitor='id' log",
      'git fetch --upload-pack=id origin',
      'git fetch --upload-p=id origin',
      'git grep -Oid needle',
      'git archive --exec=id HEAD',
      'git difftool -x id HEAD',
      'git diff --output=x HEAD',
      'git cherry-pick --strategy=a/x main',
      'git log --help',
    ],
  },
  {
    abuse: 41,
    refused: [
      'find . -exec id {} +',
      'find . -delete',
      "sed '1e id' a",
      'tar --checkpoint-action=exec=id -cf a b',
      'tar -tf a --index-file=b -v',
      "gh alias set x '!id'",
      'gh config set pager id',
      'gh repo clone a/b -- -c core.sshCommand=id',
      'xargs git log',
      'env git log',
      'timeout 1 git log',
    ],
  },
  { abuse: 42, refused: ['find *', 'ls ?', 'ls [a-z]', 'git log {-O,x}'] },
  {
    abuse: 43,
    refused: [
      Array.from({ length: 51 }, () => 'git log').join('; '),
      `git log ${'a'.repeat(10_001)}`,
      'git log "unclosed',
      'git log $((',
    ],
  },
]

/** All refused commands. */
export const REFUSED_COMMANDS: readonly string[] = COMMAND_CASES.flatMap(({ refused }) => refused)
