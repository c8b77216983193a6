import { describe, expect, test } from 'vitest'
import { mayMutate, pathsMutatedByWords } from '../../src/shell/mutations.ts'

/** The paths, and those in a folder that is not known with a "?". */
function mutated(command: string): string {
  const paths = pathsMutatedByWords(command.split(' '))
  return paths.map(({ path, anywhere }) => (anywhere === true ? `? ${path}` : path)).join(' ')
}

describe('the paths that a command mutates behind other programs', () => {
  test.each([
    'sudo nice -n 5 timeout -k 1 9 env A=1 nohup stdbuf -o L rm -r a',
    'sudo -u tar -g git rm -r a',
    'sudo --us tar rm -r a',
    'sudo -nu tar rm -r a',
    'gosu tar rm -r a',
    'timeout 5 gosu u rm -r a',
    'flock tar ionice -c 3 rm -r a',
    'watch -n 5 rm -r a',
    'perf stat rm -r a',
    'perf record -o x -- rm -r a',
    'strace -f -o x rm -r a',
    'gdb -q --args rm -r a',
    'unshare -r rm -r a',
    'nsenter -t 1 -m rm -r a',
    'bwrap --ro-bind / / --dev /dev rm -r a',
    'systemd-run --user -p A=b rm -r a',
    'start-stop-daemon --start --exec /bin/rm -- -r a',
    'setarch x86_64 -R rm -r a',
    'busybox rm -r a',
    'ld-linux-x86-64.so.2 /bin/rm -r a',
    'sshpass -p x rm -r a',
    'cross-env A=1 rimraf a',
    'dotenvx run -f .env -- rimraf a',
    'aws-vault exec profile -- rm -r a',
    'op run --env-file x -- rm -r a',
    'doppler run -p x -- rm -r a',
    'railway --service x run rm -r a',
    'direnv exec . rm -r a',
    'mise exec node@20 -- rm -r a',
    'npm --silent exec --package rimraf -- rimraf a',
    'uv --quiet run --with tar rm -r a',
    'git bisect run rm -r a',
    'jj util exec -- rm -r a',
    'fd -e log -x rm -r a',
    'repeat 3 noglob rm -r a',
    'sudo some-program rm -r a',
  ])('[ABUSE-97] are seen in %s', (command) => {
    expect(mutated(command).split(' ')).toContain('a')
  })

  test.each([
    ['sudo -D b rm a', 'b/a'],
    ['sudo -nDb rm a', 'b/a'],
    ['sudo --chdir=b env -C c rm a', 'b/c/a'],
    ['env -C /x env --chdir y rm a /b', '/x/y/a /b'],
    ['unshare --wd=b rm a', 'b/a'],
    ['systemd-run --working-directory b rm a', 'b/a'],
    ['bwrap --chdir /b rm a', '/b/a'],
    ['uv run --directory .. rm a', '../a'],
    ['pnpm -C b exec rimraf a', 'b/a'],
    ['wsl --cd b rm a', 'b/a'],
    ['sudo -D b git clean -f :/', '? .'],
  ])('[ABUSE-97] are in the folder that it is told: %s', (command, paths) => {
    expect(mutated(command)).toBe(paths)
  })

  test.each(['env -S rm\u00A0-r a', 'env --split-string=rm\ta'])(
    '[ABUSE-97] are seen where an option holds the beginning of the command: %j',
    (command) => {
      expect(mutated(command).split(' ')).toContain('a')
    },
  )

  test.each([
    'sudo',
    'sudo ls a',
    'command -v rm a',
    'command -pV rm a',
    'npm rm a',
    'npm run rm a',
    'pnpm rm a',
    'yarn remove a',
    'uv pip rm a',
    'conda install rm a',
    'mise run rm a',
    'railway status rm a',
    'git log rm a',
    'fd rm a',
    'gdb rm a',
    'echo sudo rm a',
    'docker rm a',
    'some-program rm a',
  ])('[ABUSE-97] are none in %s', (command) => {
    expect(mutated(command)).toBe('')
  })

  test('[ABUSE-97] may be any where more programs run each other than are read', () => {
    expect(mutated(`${'sudo '.repeat(8)}rm a`)).toBe('a')
    expect(mutated(`${'sudo '.repeat(9)}rm a`)).toBe('? .')
    expect(mutated(`${'sudo '.repeat(5_000)}rm a`)).toBe('? .')
    expect(mutated(`env ${'-S '.repeat(2_000)}rm a`)).toBe('a')
  })
})

describe('a text in which no program is named that mutates files', () => {
  test.each([
    'rm a',
    'r\\m a',
    'r"m" a',
    'sudo RM.exe a',
    '/bin/rm a',
    'x;rm',
    'gtar x',
    'npx rimraf@5 a',
    "$'\\x72m' a",
  ])('[ABUSE-97] is not %s', (command) => {
    expect(mayMutate(command)).toBe(true)
  })

  test.each(['ls', 'farm a', 'rmx', 'npm test', 'cat a | wc', 'sudo -u root ls'])('[ABUSE-97] is %s', (command) => {
    expect(mayMutate(command)).toBe(false)
  })
})

describe('a command with more commands in it than are read', () => {
  test.each(['fd -x ', 'gdb -- ', 'uv -x run -a ', 'sudo ', 'find . -exec '])(
    '[ABUSE-97] may mutate anything, and is read in no time: %s a hundred times',
    (wrapper) => {
      expect(mutated(`${wrapper.repeat(100)}rm x`)).toContain('? .')
    },
  )
})
