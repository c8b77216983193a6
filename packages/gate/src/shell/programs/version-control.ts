import { judgeGit } from './git.ts'
import { list, type Program, runsOrWrites } from './program.ts'
import { removeBy } from './transfer.ts'

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
function judgeGh(words: readonly string[], fixed: number): string | undefined {
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

const GH: Program = {
  names: ['gh'],
  judge: judgeGh,
  examples: {
    permitted: ['gh', 'gh pr list -R cli/cli', 'gh alias list'],
    refused: ['gh alias set x !id', 'gh release download', 'gh repo clone a/b -- -c a.b=id', 'gh some-extension'],
  },
}

/** Version control besides git itself. */
export const VERSION_CONTROL: readonly Program[] = [
  GH,
  {
    names: ['svn'],
    unsafe: { options: list('--diff-cmd --diff3-cmd --editor-cmd --config-dir --config-option') },
    mutates: removeBy(...list('rm remove delete del mv move rename ren revert')),
    examples: {
      permitted: ['svn diff -r 1:2'],
      refused: ['svn diff --diff-cmd id'],
      mutates: [['svn mv a b', 'a']],
      harmless: ['svn log a'],
    },
  },
  {
    names: ['hg'],
    unsafe: {
      options: list(
        '--config --config-file --cwd --repository --debugger --ssh --remotecmd --tool --command --program --output',
      ),
      letters: 'ceoRt',
      readingUses: new Map(list('ext extd extdi extdif extdiff se ser serv serve').map((name) => [name, []])),
    },
    mutates: removeBy(...list('rm remove mv move rename ren revert purge')),
    examples: {
      permitted: ['hg log -l 5'],
      refused: ['hg log --config hooks.pre-log=id', 'hg extdiff x'],
      mutates: [['hg mv a b', 'a']],
      harmless: ['hg log a'],
    },
  },
  {
    names: ['jj'],
    unsafe: {
      options: ['--config', '--config-file', '--config-toml', '--repository', '--tool'],
      letters: 'R',
      readingUses: new Map([['config', ['get', 'list', 'l', 'path']]]),
      runningSubcommands: ['util', 'fix', 'run'],
    },
    wraps: { subcommands: ['util exec'] },
    examples: {
      permitted: ['jj log', 'jj config get ui.pager'],
      refused: ['jj util exec -- id', 'jj config set --user ui.pager id'],
      mutates: [['jj util exec -- rm -r a', 'a']],
    },
  },
]
