import { describe, expect, test } from 'vitest'
import { allows, bash } from '../rules.ts'

describe('shell rules', () => {
  test.each([
    ['Bash(git:*)', 'git', true],
    ['Bash(git:*)', 'git log -1', true],
    ['Bash(git *)', 'git log -1', true],
    ['Bash(git *)', 'git', true],
    ['Bash(git push:*)', 'git push', true],
    ['Bash(git push:*)', 'git push origin', true],
    ['Bash(git push *)', 'git push origin', true],
    ['Bash(git push:*)', "git 'push' origin", true],
    ['Bash(git push:*)', 'git pushx', false],
    ['Bash(git push:*)', 'git --no-pager push', false],
    ['Bash(git push:*)', 'git', false],
    ['Bash(npm run test)', 'npm run test', true],
    ['Bash(npm run test)', 'npm  run "test"', true],
    ['Bash(npm run test)', 'npm run test --watch', false],
    ['Bash(npm run test)', 'npm run', false],
    ['Bash(npm run test:*)', 'npm run test --watch', true],
    ['Bash(npm run test:*)', 'npm run test:unit', false],
    ['Bash(git commit -m "a b":*)', "git commit -m 'a b' --amend", true],
    ['Bash(*)', 'id; anything $(at all)', true],
    ['Bash', 'id; anything $(at all)', true],
    ['Bash( git:* )', 'git log', true],
    ['Bash(./scripts/run.sh:*)', './scripts/run.sh a', true],
    ['Bash(./scripts/run.sh:*)', 'scripts/run.sh a', false],
    ["Bash(ls '*')", "ls '*'", true],
  ])('[GATE-3] %s, the command %j: %s', async (text, command, expected) => {
    expect(await bash([text], command)).toBe(expected)
  })

  test.each([
    'Bash()',
    'Bash(:*)',
    'Bash( *)',
    'Bash(**)',
    'Bash(git:* push)',
    'Bash(git* push)',
    'Bash(git*)',
    'Bash(*git)',
    'Bash(g?t:*)',
    'Bash(git:*:*)',
    'Bash(git,log:*)',
    'Bash(git:*,npm:*)',
    'Bash((git):*)',
    'Bash(git;id:*)',
    'Bash(git && id)',
    'Bash($X:*)',
    'Bash(A=b git:*)',
    'Bash("git":*)',
    'Bash(git "a:*)',
    'Bash(git\n:*)',
    'Bash([git]:*)',
    'Bash({git,id}:*)',
    `Bash(${'git '.repeat(300)}:*)`,
  ])('[ABUSE-34] %j covers no command at all', async (text) => {
    for (const command of [
      'git',
      'git log',
      'git push',
      'id',
      'git; id',
      'git && id',
      text.slice('Bash('.length, -1),
    ]) {
      expect(await bash([text], command)).toBe(false)
    }
  })

  test.each([
    'gitx log',
    'GIT log',
    'Git log',
    './git log',
    '/usr/bin/git log',
    'git.exe log',
    'git\u00a0log',
    '\u00a0git log',
    'gіt log',
    'git\u200blog',
    '"git" log',
    'g\\it log',
    '../git log',
    'git/ log',
    'git: log',
  ])('[ABUSE-35] Bash(git:*) does not cover %j', async (command) => {
    expect(await bash(['Bash(git:*)'], command)).toBe(false)
  })

  test.each([
    'git log; id',
    'git log && id',
    'git log || id',
    'git log | id',
    'git log & id',
    'git log &',
    'git log\nid',
    'git log $(id)',
    'git log `id`',
    'git log <(id)',
    'git log > x',
    'git log <<EOF\nEOF',
    'git log "$(id)"',
  ])('[ABUSE-36] Bash(git:*) does not cover %j, nor does a rule of these very words', async (command) => {
    expect(await bash(['Bash(git:*)'], command)).toBe(false)
    expect(await bash([`Bash(${command})`, `Bash(${command}:*)`], command)).toBe(false)
  })

  test.each([
    ['Bash([[:*)', "[[ -v 'a[$(x)]' ]]"],
    ['Bash(echo:*)', 'echo ${x@P}'],
    ['Bash(time:*)', 'time id'],
  ])('[ABUSE-37] %s does not cover %j', async (text, command) => {
    expect(await bash([text], command)).toBe(false)
  })

  test.each(['GIT_PAGER=id git log', 'LD_PRELOAD=/x git log', 'PATH=. git log', 'A= git log'])(
    '[ABUSE-38] Bash(git:*) does not cover %j',
    async (command) => {
      const rules = ['Bash(git:*)', 'Bash(GIT_PAGER:*)', 'Bash(GIT_PAGER=id git:*)']
      expect(await bash(rules, 'git log')).toBe(true)
      expect(await bash(rules, command)).toBe(false)
    },
  )

  test.each([
    ['Bash(git:*)', "git -c alias.x='!id' x"],
    ['Bash(git:*)', 'git -c core.fsmonitor=id status'],
    ['Bash(git:*)', 'git clone --upload-p id x'],
    ['Bash(git:*)', 'git grep -Oid x'],
    ['Bash(git:*)', 'git archive --exec=id --remote=. HEAD'],
    ['Bash(git:*)', 'git difftool -x id'],
    ['Bash(git:*)', 'git log --output=x'],
    ['Bash(git log:*)', "git log '--output' x"],
    ['Bash(git log:*)', 'git log "--out"put=x'],
  ])('[ABUSE-39] %s does not cover %j, a rule of these very words does', async (text, command) => {
    expect(await bash([text], command)).toBe(false)
    expect(await bash([text, `Bash(${command})`], command)).toBe(true)
  })

  test.each([
    ['Bash(find:*)', "find . -exec id ';'"],
    ['Bash(sed:*)', 'sed 1e x'],
    ['Bash(sed:*)', "sed 's/a/b/e' x"],
    ['Bash(gsed:*)', "gsed 'w x' y"],
    ['Bash(tar:*)', 'tar cf x --checkpoint=1 --checkpoint-action=exec=id y'],
  ])('[ABUSE-41] %s does not cover %j, a rule of these very words does', async (text, command) => {
    expect(await bash([text], command)).toBe(false)
    expect(await bash([`Bash(${command})`], command)).toBe(true)
  })

  test.each([
    ['Bash(xargs:*)', 'xargs id'],
    ['Bash(env:*)', 'env id'],
    ['Bash(timeout:*)', 'timeout 5 id'],
    ['Bash(awk:*)', `awk 'BEGIN{system("id")}'`],
    ['Bash(less:*)', 'less x'],
    ['Bash(man:*)', 'man ls'],
    ['Bash(bash:*)', 'bash -c id'],
    ['Bash(sqlite3:*)', "sqlite3 x.db '.shell id'"],
    ['Bash(acme:*)', 'acme --anything x'],
  ])('[GATE-15] %s promises its literal words, and covers %j', async (text, command) => {
    expect(await bash([text], command)).toBe(true)
    expect(await bash([text], `${command}; id`)).toBe(false)
    expect(await bash([text], `x${command}`)).toBe(false)
  })

  test('[ABUSE-43] covers no command of 10,001 characters, or that does not parse', async () => {
    expect(await bash(['Bash(git:*)'], 'git log '.padEnd(10_000, 'a'))).toBe(true)
    for (const command of ['git log '.padEnd(10_001, 'a'), 'git log "', 'git log (', 7, null, ['git'], {}]) {
      expect(await bash(['Bash(git:*)'], command)).toBe(false)
    }
  })

  test('[ABUSE-44] judges a shell tool by its argument under any spelling of its name', async () => {
    expect(await allows(['Bash(git:*)'], 'BASH', { command: 'id' })).toBe(false)
    expect(await allows(['bash(git:*)'], 'Bash', { command: 'git log' })).toBe(true)
    expect(await allows(['Bash(git:*)'], 'run_shell_command', { command: 'git log' })).toBe(true)
    expect(await allows(['Bash(git:*)'], 'run_shell_command', { command: 'id' })).toBe(false)
  })
})
