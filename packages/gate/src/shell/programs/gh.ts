import { judgeGit } from './git.ts'
import { list, type Program, type UncoveredUse, runsOrWrites } from './program.ts'

/**
 * Commands of GitHub's `gh` that a rule for it as a whole covers. An allowlist, since an unknown word may be an alias,
 * which can be any shell command, or an extension, which is a program.
 */
const COVERED: ReadonlySet<string> = new Set(
  list(
    'accessibility actions agent-task api attestation auth browse cache codespace completion cs environment exit-codes ' +
      'formatting gist gpg-key help issue label licenses mintty org pr project reference release repo rs ruleset run ' +
      'search secret ssh-key status variable version workflow ' +
      // Of these only what READING_USES has.
      'alias config ext extension extensions',
  ),
)

/** Of commands that can name programs for `gh` to run, or run one, what only reads. */
const READING_USES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['alias', new Set(['list', 'ls'])],
  ['config', new Set(['get', 'list', 'ls', 'clear-cache'])],
  ...['ext', 'extension', 'extensions'].map((name) => [name, new Set(['list', 'ls', 'search'])] as const),
  // The others run ssh or scp with options of the caller's, or start a program on this machine.
  ...['codespace', 'cs'].map(
    (name) => [name, new Set(['create', 'delete', 'edit', 'list', 'ls', 'ports', 'rebuild', 'stop', 'view'])] as const,
  ),
])

/** Commands that save files wherever the caller says, which a rule has to name. */
const SAVING_USES: ReadonlyMap<string, string> = new Map([
  ['release', 'download'],
  ['run', 'download'],
  ['attestation', 'download'],
])

const HELP: ReadonlySet<string> = new Set(['--help', '--version', '-h'])

/**
 * Why a prefix rule does not cover a command of `gh`.
 * @param fixed how many of the words the rule itself names, `gh` among them
 */
function judgeGh(words: readonly string[], fixed: number): UncoveredUse | undefined {
  const [, command, ...rest] = words
  if (command === undefined) return undefined
  if (command.startsWith('-')) return rest.length === 0 && HELP.has(command) ? undefined : runsOrWrites(command, 'gh')
  if (!COVERED.has(command) && fixed < 2) return runsOrWrites(command, 'gh')
  const next = rest[0]
  const uses = READING_USES.get(command)
  if (uses !== undefined && next !== undefined && !uses.has(next) && !(rest.length === 1 && HELP.has(next)))
    return runsOrWrites(`${command} ${next}`, 'gh')
  const saving = SAVING_USES.get(command)
  if (saving !== undefined && words.indexOf(saving, fixed) > 0) return runsOrWrites(saving, 'gh')
  // What follows "--" is handed to `git clone`, by those that clone.
  const end = rest.indexOf('--')
  return end < 0 ? undefined : judgeGit(['git', 'clone', ...rest.slice(end + 1)], 2)
}

export const GH: Program = {
  names: ['gh'],
  judge: judgeGh,
  examples: {
    permitted: ['gh', 'gh pr list -R cli/cli', 'gh alias list'],
    refused: ['gh alias set x !id', 'gh release download', 'gh repo clone a/b -- -c a.b=id', 'gh some-extension'],
  },
}
