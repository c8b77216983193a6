import { describe, expect, test } from 'vitest'
import { permits } from '../permits.ts'
import { toolset } from '../toolset.ts'

const tools = toolset()

async function covers(pattern: string, command: string): Promise<boolean> {
  const policy = { lists: [{ skill: 's', rules: [{ tool: 'Bash', pattern }] }] }
  return (await permits(policy, { tool: 'Bash', input: { command } }, { tools, cwd: '/p' })).allowed
}

describe('git', () => {
  test.each(
    (
      'add annotate apply blame branch cat-file check-attr check-ignore check-ref-format checkout cherry cherry-pick ' +
      'clean commit count-objects describe diff diff-files diff-index diff-tree for-each-ref fsck gc log ls-files ' +
      'ls-tree merge merge-base merge-tree mv name-rev prune range-diff reflog replace reset restore rev-list ' +
      'rev-parse revert rm shortlog show show-branch show-ref stage status switch symbolic-ref ' +
      'tag update-ref var verify-commit verify-tag version whatchanged write-tree ' +
      'archive clone fetch format-patch grep init ls-remote pull push rebase'
    ).split(' '),
  )('[GATE-3] git:* covers git %s', async (name) => {
    expect(await covers('git:*', `git ${name} x`)).toBe(true)
  })

  test.each([
    '--no-pager',
    '-P',
    '--no-optional-locks',
    '--no-replace-objects',
    '--no-advice',
    '--literal-pathspecs',
    '--glob-pathspecs',
    '--noglob-pathspecs',
    '--icase-pathspecs',
    '--version',
    '-v',
  ])('[GATE-3] git:* covers git %s, alone and before a subcommand', async (option) => {
    expect(await covers('git:*', `git ${option}`)).toBe(true)
    expect(await covers('git:*', `git ${option} log`)).toBe(true)
    expect(await covers('git:*', `git ${option} -c a.b=c log`)).toBe(false)
  })

  test.each(['--help', '-h'])('[GATE-3, ABUSE-40] git:* covers git %s alone, but no page of help', async (option) => {
    expect(await covers('git:*', `git ${option}`)).toBe(true)
    // The configuration of a repository may name what shows the page.
    for (const command of [`git ${option} log`, `git -P ${option} log`, `git ${option} -P log`, 'git log --help']) {
      expect(await covers('git:*', command)).toBe(false)
      expect(await covers(command, command)).toBe(true)
    }
    expect(await covers('git log:*', 'git log --help')).toBe(false)
    expect(await covers('git help:*', 'git help log')).toBe(false)
  })

  test.each(
    (
      'archimport credential-cache credential-store cvsexportcommit cvsimport help ' +
      'citool credential cvsserver daemon difftool difftool--helper filter-branch for-each-repo gui hook http-backend ' +
      'imap-send instaweb maintenance merge-index mergetool p4 receive-pack remote-ext remote-fd send-email shell ' +
      'submodule--helper svn upload-archive upload-pack web--browse'
    ).split(' '),
  )('[ABUSE-39] neither git:* nor a rule that names it covers git %s', async (name) => {
    expect(await covers('git:*', `git ${name} x`)).toBe(false)
    expect(await covers(`git ${name}:*`, `git ${name} x`)).toBe(false)
    expect(await covers(`git ${name} x`, `git ${name} x`)).toBe(true)
  })

  test.each([
    'get a.b',
    'list',
    '--get a.b',
    '--get-all a.b',
    '--get-regexp a',
    '--get-urlmatch a b',
    '--list',
    '-l',
    '--get-color a',
    '--get-colorbool a',
  ])('[GATE-3] git:* covers git config %s, which only reads', async (rest) => {
    expect(await covers('git:*', `git config ${rest}`)).toBe(true)
  })

  test.each([
    'log --exec-path=/x',
    'log --config-env=a.b=c',
    'log --config-env a.b=c',
    'fetch --upload-pack x',
    'log --extcmd=x',
    'clone --config a.b=c x',
    'clone --template=x y',
    'bisect replay x',
    'bisect view',
    'bisect visualize',
    'bisect run x',
    'ls-remote -u x y',
    'ls-remote ext::x',
    'pull ext::x',
    'pull --repo=ext::x',
    'push ext::x',
    'remote add x ext::y',
    'submodule add ext::x',
    'submodule foreach x',
    'archive -ox HEAD',
    'archive --remote=ext::x HEAD',
    'fetch ext::x',
    'fetch foo://x',
    'clone foo://x',
    'push foo+bar://x',
    'apply --unsafe-paths x',
    'apply --build-fake-ancestor=x y',
    'archive --format=foo HEAD',
    'archive --format foo HEAD',
    'archive --form=foo HEAD',
    'cherry-pick --strategy=a/x master',
    'cherry-pick --strategy a/x master',
    'cherry-pick --strateg=a/x master',
    'cherry-pick --strategy',
    'revert --strategy=a/x HEAD',
    'rebase --strategy=a/x master',
    'rebase -s a/x master',
    'rebase -sa/x master',
    'rebase -qsa/x master',
    'rebase -qs a/x master',
    'rebase -s ours -s a/x master',
    'rebase -Xours -sa/x master',
    'rebase -s',
    'pull --rebase -s a/x . t2',
    'pull --strategy=a/x . t2',
    'pull -qs a/x . t2',
    'merge -s a/x t2',
    'merge --no-edit -sa/x t2',
    'merge --strategy=constructor t2',
    // Abbreviations are not read.
    'cherry-pick --strategy-o theirs HEAD',
    'log --hel',
    'log --onelin',
  ])('[ABUSE-39] git:* does not cover git %s', async (rest) => {
    expect(await covers('git:*', `git ${rest}`)).toBe(false)
    expect(await covers(`git ${rest.split(' ', 1)[0]}:*`, `git ${rest}`)).toBe(false)
    expect(await covers(`git ${rest}`, `git ${rest}`)).toBe(true)
  })
  test.each([
    'cherry-pick -s HEAD',
    'cherry-pick -x HEAD',
    'cherry-pick --strategy=ours HEAD',
    'cherry-pick --strategy-option=theirs HEAD',
    'revert --strategy recursive HEAD',
    'rebase -Xignore-space-change main',
    'rebase -s ort main',
    'rebase -sours main',
    'rebase --stat main',
    'merge -mfixes x',
    'merge -m fixes x',
    'merge --squash x',
    'merge --strategy=octopus a b',
    'merge -s subtree -X subtree=x y',
    'pull -s resolve origin main',
    'pull --rebase origin main',
    'pull --squash https://example.com/x',
    'fetch ssh://git@example.com/x',
    'fetch git+ssh://example.com/x',
    'push file:///x main',
    'archive --format=tgz HEAD',
    'archive --format tar.gz HEAD',
    'apply --index x',
    'stash apply --index',
    'commit -s',
    'status -s',
    'clone -bcurrent https://example.com/x',
    'grep -eFOO',
    'bisect start',
    'notes show HEAD',
    'remote',
    'remote add x https://a.b/c.git',
    'sparse-checkout list',
    'stash',
    'stash pop --index',
    'submodule update --init --recursive',
    'worktree add ../x -b y',
    'lfs pull',
  ])('[GATE-3] git:* covers git %s', async (rest) => {
    expect(await covers('git:*', `git ${rest}`)).toBe(true)
  })

  test.each(['bugreport', 'diagnose', 'fast-import', 'mailsplit', 'subtree', 'secrets', 'constructor', '__proto__'])(
    '[GATE-15] no prefix rule covers git %s, of which nothing is known to be harmless',
    async (name) => {
      expect(await covers('git:*', `git ${name}`)).toBe(false)
      expect(await covers(`git ${name}:*`, `git ${name} x`)).toBe(false)
      expect(await covers(`git ${name} x`, `git ${name} x`)).toBe(true)
    },
  )
})

describe('other programs', () => {
  test.each([
    'find . -fls x',
    'find . -fprint x',
    'find . -fprint0 x',
    'find . -fprintf x y',
    'rg --hostname-bin=x y',
    'tar xf a --new-volume-script=x',
    'tar xf a --rsh-command=x',
    'tar xf a --rmt-command=x',
    'tar xf a --files-from=x',
    'tar xf a --info-script=x',
    'tar cf host:a x',
    'wget --config=x y',
    'wget --execute=x y',
    'wget -e x y',
    'zip --unzip-command=x y',
  ])('[ABUSE-41] a rule for the program does not cover %s, its exact words do', async (command) => {
    expect(await covers(`${command.split(' ', 1)[0]}:*`, command)).toBe(false)
    expect(await covers(command, command)).toBe(true)
  })

  test.each([
    'find . -print',
    'find . -printf %p',
    'fd -e ts x',
    'rg x',
    'tar xf a.tgz FILE',
    'tar cf ./a:b x',
    'sort -k2 x',
    'rsync -av a b',
    'wget https://a.b/',
    'zip -r a.zip x',
    'tcpdump -G 5',
    'test -f x',
    'test -d x',
  ])('[GATE-3] %s runs and writes nothing else', async (command) => {
    expect(await covers(`${command.split(' ', 1)[0]}:*`, command)).toBe(true)
  })
})

describe('the words of a rule', () => {
  test.each([
    ["git ':*' log", "git ':*' log", true],
    ["git ':*' log", "git ':*' lo", false],
    ["git ' *' log", "git ' *' log", true],
    ["git ' *' log", "git ' *' l", false],
    ['git:*', 'git log "a\\d"', true],
    ['git:*', 'git log "a\\"b"', true],
    ['git:*', 'git log "a\\\nb"', false],
    ['git:*', 'git log a\\\nb', false],
    ['git:*', "git log 'a\nb'", true],
    ['git:*', "git log 'a\n!b'", false],
    ['git:*', "git log 'a\n^b'", false],
    ['git:*', "git log '!b'", true],
    ['git:*', '\ngit log !b', false],
  ])('[GATE-3, ABUSE-36] Bash(%s), the command %j: %s', async (pattern, command, expected) => {
    expect(await covers(pattern, command)).toBe(expected)
  })

  test('[GATE-7] tells of a line that goes on behind a backslash', async () => {
    for (const command of ['git log a\\\nb', 'git log "a\\\nb"']) {
      const policy = { lists: [{ skill: 's', rules: [{ tool: 'Bash', pattern: 'git:*' }] }] }
      const verdict = await permits(policy, { tool: 'Bash', input: { command } }, { tools, cwd: '/p' })
      expect(verdict).toMatchObject({ reason: expect.stringContaining('" holds a line continuation.') })
    }
  })
})
