import { uncoveredByGit } from './git.ts'

/**
 * Commands of GitHub's `gh` that a rule for it as a whole covers. An allowlist, since an unknown word may be an alias,
 * which can be any shell command, or an extension, which is a program.
 */
const COVERED: ReadonlySet<string> = new Set(
  (
    'accessibility actions agent-task api attestation auth browse cache codespace completion cs environment exit-codes ' +
    'formatting gist gpg-key help issue label licenses mintty org pr project reference release repo rs ruleset run ' +
    'search secret ssh-key status variable version workflow ' +
    // Of these only what READS has.
    'alias config ext extension extensions'
  ).split(' '),
)

/** Of commands that can name programs for `gh` to run, or run one, what only reads. */
const READS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['alias', new Set(['list', 'ls'])],
  ['config', new Set(['get', 'list', 'ls', 'clear-cache'])],
  ...['ext', 'extension', 'extensions'].map((name) => [name, new Set(['list', 'ls', 'search'])] as const),
  // The others run ssh or scp with options of the caller's, or start a program on this machine.
  ...['codespace', 'cs'].map(
    (name) => [name, new Set(['create', 'delete', 'edit', 'list', 'ls', 'ports', 'rebuild', 'stop', 'view'])] as const,
  ),
])

/** Commands that save files wherever the caller says, which a rule has to name. */
const SAVES: ReadonlyMap<string, string> = new Map([
  ['release', 'download'],
  ['run', 'download'],
  ['attestation', 'download'],
])

/**
 * Why a prefix rule does not cover a command of `gh`, as a clause.
 * @param fixed how many of the words the rule itself names, `gh` among them
 */
export function uncoveredByGh(words: readonly string[], fixed: number): string | undefined {
  const [, command, ...rest] = words
  if (command === undefined) return undefined
  if (command.startsWith('-')) return rest.length === 0 && ALONE.has(command) ? undefined : keeps(command)
  if (!COVERED.has(command) && fixed < 2) return keeps(command)
  const next = rest[0]
  const reads = READS.get(command)
  if (reads !== undefined && next !== undefined && !reads.has(next) && !(rest.length === 1 && ALONE.has(next)))
    return keeps(`${command} ${next}`)
  const saves = SAVES.get(command)
  if (saves !== undefined && words.indexOf(saves, fixed) > 0) return keeps(saves)
  // What follows "--" is handed to `git clone`, by those that clone.
  const end = rest.indexOf('--')
  return end < 0 ? undefined : uncoveredByGit(['git', 'clone', ...rest.slice(end + 1)], 2)
}

const ALONE: ReadonlySet<string> = new Set(['--help', '--version', '-h'])

function keeps(word: string): string {
  return `${JSON.stringify(word)} can make gh run or write something else, so that only a rule with exactly these words covers it`
}
