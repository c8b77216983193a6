import { removeBy } from '../mutators/transfer.ts'
import { list, type Program } from './program.ts'

/** Version control besides git. */
export const VERSION_CONTROL: readonly Program[] = [
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
