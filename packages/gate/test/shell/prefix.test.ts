import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uncoveredUse } from '../../src/shell/prefix.ts'
import { runs } from '@repertoire/test-servers/properties'

/** Whether a command certainly runs and writes nothing else, both by their words. */
function covers(rule: string, command: string): boolean {
  const words = command.split(' ')
  const fixed = rule.split(' ')
  expect(words.slice(0, fixed.length)).toEqual(fixed)
  return uncoveredUse(words, fixed.length) === undefined
}

describe('what a command may run or write, for rules that deny', () => {
  test.each([
    ['git', 'git'],
    ['git', 'git status'],
    ['git', 'git --version'],
    ['git', 'git --no-pager log -p --oneline'],
    ['git', 'git -P diff HEAD~1 --stat -- src'],
    ['git', 'git commit -c HEAD -m x'],
    ['git', 'git commit -C HEAD'],
    ['git', 'git push origin main -u'],
    ['git', 'git fetch -u origin'],
    ['git', 'git rebase -Xours main'],
    ['git', 'git grep -n -e foo -- src'],
    ['git', 'git log --exclude=x --output-indicator-new=+'],
    ['git', 'git config --get user.name'],
    ['git config', 'git config --list'],
    ['git', 'git clone https://example.com/a.git'],
    ['git', 'git bisect start'],
    ['git lfs', 'git lfs pull'],
    ['git town', 'git town sync'],
    ['npm', 'npm run build -- --exec x'],
    ['python3', 'python3 x.py'],
    ['find', 'find . -name x -type f -newer y'],
    ['tar', 'tar xzf a.tgz -C out'],
    ['tar', 'tar --exclude=x -czf a.tgz src'],
    ['sort', 'sort -k2 -n -u x'],
    ['fd', 'fd -e ts'],
    ['rg', 'rg --pretty x'],
    ['test', 'test -f x'],
    ['bash build.sh', 'bash build.sh -c x'],
    ['echo', 'echo -exec'],
    ['printenv', 'printenv HOME'],
  ])('[GATE-3] after %s, %s runs and writes nothing else', (rule, command) => {
    expect(covers(rule, command)).toBe(true)
  })

  test.each([
    ['git', 'git -c alias.x=!id x'],
    ['git', 'git -c core.fsmonitor=id status'],
    ['git -c', 'git -c core.pager=id log'],
    ['git', 'git --config-env=core.pager=X log'],
    ['git', 'git --config-env core.pager=X log'],
    ['git', 'git --exec-path=/x status'],
    ['git', 'git -C /x status'],
    ['git', 'git --git-dir=/x status'],
    ['git', 'git --git-dir /x status'],
    ['git', 'git --work-tree=/x status'],
    ['git', 'git -p log'],
    ['git', 'git --no-pager -c a.b=c log'],
    ['git', 'git clone --upload-pack=id x'],
    ['git', 'git clone --upload-pac id x'],
    ['git', 'git clone --u id x'],
    ['git', 'git clone -u id x'],
    ['git', 'git clone -qu id x'],
    ['git', 'git clone -c core.fsmonitor=id x'],
    ['git', 'git clone --conf=core.fsmonitor=id x'],
    ['git', 'git clone --template=/x y'],
    ['git', 'git clone ext::id x'],
    ['git', 'git clone EXT::id x'],
    ['git', 'git init --templ=/x'],
    ['git', 'git fetch --upload-p id'],
    ['git fetch', 'git fetch origin --upload-pack id'],
    ['git', 'git fetch ext::id'],
    ['git', 'git remote add x ext::id'],
    ['git', 'git push --receive-pack=id'],
    ['git', 'git push --exec=id'],
    ['git', 'git push --repo=ext::id'],
    ['git', 'git ls-remote --exec=id x'],
    ['git', 'git archive --exec=id --remote=x HEAD'],
    ['git', 'git archive --remote=ext::id HEAD'],
    ['git', 'git archive -o x HEAD'],
    ['git', 'git archive --output=x HEAD'],
    ['git', 'git diff --output=x'],
    ['git', 'git log --outp x'],
    ['git', 'git show --output x'],
    ['git', 'git log -- --output=x'],
    ['git', 'git format-patch -o x'],
    ['git', 'git format-patch --output-directory=x'],
    ['git', 'git format-patch --output-d x'],
    ['git', 'git grep -O x'],
    ['git', 'git grep -nOid x'],
    ['git', 'git grep --open-files-in-pager=id x'],
    ['git', 'git grep --open x'],
    ['git grep', 'git grep -Oid x'],
    ['git', 'git difftool -x id'],
    ['git difftool', 'git difftool --extcmd=id'],
    ['git', 'git rebase -x id main'],
    ['git', 'git rebase --exec id main'],
    ['git', 'git rebase -ix id main'],
    ['git', 'git bisect run id'],
    ['git bisect', 'git bisect run id'],
    ['git', 'git submodule foreach id'],
    ['git', 'git filter-branch --tree-filter id'],
    ['git filter-branch', 'git filter-branch --tree-filter id'],
    ['git', 'git config alias.x !id'],
    ['git', 'git config --global core.pager id'],
    ['git config', 'git config core.hooksPath x'],
    ['git', 'git config --add core.pager id'],
    ['git', 'git config -e'],
    ['git', 'git config'],
    ['git', 'git remote-ext x id'],
    ['git', 'git send-email --smtp-server=/x y'],
    ['git', 'git unknown-alias'],
    ['git', 'git lfs pull'],
    ['/usr/bin/git', '/usr/bin/git -c a.b=c log'],
    ['GIT', 'GIT -c a.b=c log'],
    ['git.exe', 'git.exe -c a.b=c log'],
  ])('[ABUSE-39] after %s, %s may run or write something else', (rule, command) => {
    expect(covers(rule, command)).toBe(false)
  })

  test.each([
    ['find', 'find . -exec id ;'],
    ['find .', 'find . -name x -execdir id ;'],
    ['find', 'find . -ok id ;'],
    ['find', 'find . -okdir id ;'],
    ['find', 'find . -delete'],
    ['find', 'find . -fprintf x y'],
    ['find . -exec', 'find . -exec id ;'],
    ['sed', 'sed 1e x'],
    ['sed', 'sed -n 1p x'],
    ['tar', 'tar cf x --checkpoint=1 --checkpoint-action=exec=id y'],
    ['tar', 'tar cf x --checkpoint=1 --checkpoint-a=exec=id y'],
    ['tar', 'tar xf x --to-command=id'],
    ['tar', 'tar -I id -xf x'],
    ['tar', 'tar xIf id x'],
    ['tar', 'tar -xFf id x'],
    ['tar', 'tar --use=id -xf x'],
    ['tar', 'tar cf x -T list'],
    ['tar', 'tar -cf host:x y'],
    ['tar', 'tar --file=host:x -c y'],
    ['xargs', 'xargs id'],
    ['xargs', 'xargs'],
    ['env', 'env id'],
    ['env git', 'env git status'],
    ['/usr/bin/env', '/usr/bin/env git status'],
    ['ENV', 'ENV git status'],
    ['timeout', 'timeout 5 id'],
    ['timeout 5 git', 'timeout 5 git status'],
    ['nice', 'nice git status'],
    ['nohup', 'nohup git status'],
    ['sudo', 'sudo git status'],
    ['awk', 'awk BEGIN{system("id")}'],
    ['gawk', 'gawk -f x'],
    ['sh', 'sh -c id'],
    ['sh', 'sh x.sh'],
    ['sh -c', 'sh -c id'],
    ['bash', 'bash'],
    ['bash -x', 'bash -x x.sh'],
    ['zsh', 'zsh x'],
    ['busybox', 'busybox sh'],
    ['ssh', 'ssh host id'],
    ['less', 'less +!id x'],
    ['fd', 'fd x -x id'],
    ['fd', 'fd x --exec-b id'],
    ['rg', 'rg --pre id x'],
    ['rg', 'rg --pre=id x'],
    ['sort', 'sort --compress-program=id x'],
    ['sort', 'sort -o x y'],
    ['split', 'split --filter=id x'],
    ['rsync', 'rsync -e id a b'],
    ['rsync', 'rsync -ave id a b'],
    ['wget', 'wget --use-askpass=id x'],
    ['zip', 'zip x y -T -TT id'],
  ])('[ABUSE-41] after %s, %s may run or write something else', (rule, command) => {
    expect(covers(rule, command)).toBe(false)
  })

  test.each([
    'printf -v a[$(id)] x',
    'printf x',
    'read a[$(id)]',
    'let a[$(id)]=1',
    'declare x',
    'typeset x',
    'local x',
    'export x',
    'readonly x',
    'unset a[$(id)]',
    'eval id',
    'exec id',
    'source x',
    '. x',
    'command id',
    'builtin id',
    'time id',
    'trap id EXIT',
    'alias x=id',
    'mapfile -C id x',
    'readarray -C id x',
    'enable -f x y',
    'bind -x id',
    'complete -C id x',
    'compgen -C id',
    'hash -p /x git',
    'set -e',
    'shopt -s x',
    'jobs -x id',
    'fc -s',
    'history -s x',
    'getopts x a[$(id)]',
    'wait -p a[$(id)]',
    'test -v a[$(id)]',
    'test a[$(id)] -eq 1',
    'test',
    'noglob id',
    'print -P x',
    'vared x',
  ])('[ABUSE-37] %s may run or write something else', (command) => {
    const name = command.split(' ', 1)[0]!
    expect(covers(name, command)).toBe(false)
  })

  test('[GATE-3, ABUSE-39] says of any git command what its parts say', () => {
    const harmless = [
      '-n',
      '--oneline',
      '-p',
      '--stat',
      'HEAD',
      'main',
      'src/a.ts',
      '--',
      '-1',
      '--no-color',
      '--format=%H',
      'o',
      '-',
      '',
    ]
    const dangerous = [
      '--output=x',
      '--output',
      '--outpu=x',
      '--upload-pack=x',
      '--upload',
      '--exec=x',
      '--receive-pack',
      '--extcmd=x',
      '--open-files-in-pager',
    ]
    const subcommands = ['log', 'diff', 'show', 'status', 'fetch', 'push', 'commit', 'branch']
    const before = ['--no-pager', '-P', '--no-optional-locks']
    const dangerousBefore = ['-c', '--git-dir=x', '-C', '--exec-path=x', '--config-env=a=b', '--paginate']
    const some = (...texts: string[]) => fc.array(fc.constantFrom(...texts), { maxLength: 3 })
    const drawn = fc.record({
      front: fc.tuple(some(...before), fc.option(fc.constantFrom(...dangerousBefore), { freq: 4 })),
      subcommand: fc.constantFrom(...subcommands),
      rest: fc.tuple(some(...harmless), fc.option(fc.constantFrom(...dangerous), { freq: 2 }), some(...harmless)),
    })
    fc.assert(
      fc.property(drawn, ({ front, subcommand, rest }) => {
        const words = ['git', ...front[0], ...(front[1] === null ? [] : [front[1]]), subcommand]
        const all = [...words, ...rest[0], ...(rest[1] === null ? [] : [rest[1]]), ...rest[2]]
        expect(uncoveredUse(all, 1) === undefined).toBe(front[1] === null && rest[1] === null)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test.each(['constructor', '__proto__', 'toString'])(
    '[GATE-3] takes a program called %s for one like any other',
    (name) => {
      expect(uncoveredUse([name, 'x'], 1)).toBeUndefined()
    },
  )
})
