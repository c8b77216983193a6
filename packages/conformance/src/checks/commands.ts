/** The rules of the skill under which all commands are tried. */
export const COMMAND_RULES = [
  'git log',
  'git grep',
  'git diff',
  'git stash list',
  'gh pr view',
  'find',
  'sort',
  'date',
  'awk',
  'ls',
].map((prefix) => `Bash(${prefix}:*)`)

/** Commands that these rules match. */
export const ALLOWED_COMMANDS: readonly string[] = [
  'git log --oneline -20',
  "git diff 'HEAD~1'",
  'git grep needle',
  'find . -name a.md',
  'gh pr view 1',
  'ls -la',
  'git log --oneline | sort -u && date +%F',
  'ls docs/*.md 2>/dev/null',
  // It is no reader: a rule hands out all that the program can do.
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
    refused: ['[[ -v a[$(id)] ]]', 'awk ${x@P}', 'git log ${x@P}', 'git log "$(id)"'],
  },
  { abuse: 38, refused: ['GIT_PAGER="rm -rf ." git log', 'LD_PRELOAD=./x.so git log'] },
  {
    abuse: 39,
    refused: [
      "git -c alias.x='!id' x",
      "git -c core.fsmonitor='id' log",
      'git grep -Oid needle',
      'git diff --output=x HEAD',
      'git diff --ext-diff HEAD',
      'git log --format=%G?',
      'git log --help',
    ],
  },
  {
    abuse: 41,
    refused: [
      'find . -exec id {} +',
      'find . -delete',
      'sort --compress-program=id a',
      'sort -o a b',
      'date -s 2020-01-01',
      'gh pr view --web 1',
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
