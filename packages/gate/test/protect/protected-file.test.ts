import { describe, expect, it } from 'vitest'
import { openGate } from '@repertoire/gate'

/** The protected path that a call is refused for; undefined: it may be made. */
async function named(
  tool: string,
  input: unknown,
  protect: readonly string[],
  cwd: string | undefined = '/project',
): Promise<string | undefined> {
  const toolMap = { Asking: { argument: 'question', kind: 'text' } } as const
  const verdict = await openGate({ policy: { protect }, cwd, toolMap }).judge({ tool, input })
  return verdict.allowed ? undefined : verdict.refusal.refusedBy.rule
}
const bash = (command: string, file: string, cwd?: string) => named('Bash', { command }, [file], cwd)

describe('a protected path that a command mentions', () => {
  it.each(['echo x > policy.json', `echo x > "pol"icy.json`, 'echo x > POL\\ICY.JSON', 'cat other/policy.json'])(
    '[GATE-17, ABUSE-97] is named by its base name: %s',
    async (command) => {
      for (const file of ['policy.json', '/project/policy.json', './policy.json', '/etc/app/policy.json'])
        expect(await bash(command, file)).toBe(file)
    },
  )

  it.each(['rm -rf .app', 'mv .app x', 'ls /project/.app/', 'ls .app/../.app'])(
    '[GATE-17] is named by a parent below the working folder: %s',
    async (command) => {
      expect(await bash(command, '/project/.app/config.json')).toBe('/project/.app/config.json')
      expect(await bash(command, '/other/.app/config.json')).toBeUndefined()
    },
  )

  it.each([
    'cat .env',
    'rm .env.',
    'cat .env, x',
    'x=.env',
    'printf ".env\\nx" | xargs cat',
    'cat a/.env:x',
    'cat .env.example .env',
    'cat .en\\\nv',
    "cat $'.env'",
    'cat ${X}.env',
    'cat .e$X"nv"',
  ])('[GATE-17, ABUSE-97] is named if its name ends there: %s', async (command) => {
    expect(await bash(command, '.env')).toBe('.env')
  })

  it.each([
    ['.', '/'],
    ['.', undefined],
    ['...', '/project'],
  ])('[GATE-16, GATE-17] is named by every text if no name is left of it: %s in %s', async (file, cwd) => {
    const gate = openGate({ policy: { protect: [file] }, cwd })
    expect((await gate.judge({ tool: 'Bash', input: { command: 'ls a' } })).allowed).toBe(false)
  })

  it.each(['cat .env.example', 'cat .env-x .env_y .env3', 'echo process.env.FOO', 'source .envrc', 'cat .environment'])(
    '[GATE-17, ABUSE-97] is not named by a longer name: %s',
    async (command) => {
      expect(await bash(command, '.env')).toBeUndefined()
    },
  )

  it.each([
    'cat conf*',
    'cat *',
    'cat app/conf*',
    'cat ~/app/c*',
    'cat $X/conf*',
    'cat ./../app/conf*',
    'cat {config,x}.{json,md}',
    'cat con[[:alpha:]]ig.json',
    'cat c?nfig.json',
    'rm -rf ap*/',
    'rm -rf *',
    'X=conf*; cat $X',
    'cat < conf*',
    'echo x > conf*',
    'cat {a..z}*',
    'for f in conf*; do cat $f; done',
    'cat conf* "unclosed',
  ])('[GATE-17] is named by a pattern that matches it: %s', async (command) => {
    expect(await bash(command, '/project/app/config.json')).toBe('/project/app/config.json')
  })

  it.each([
    'echo {1..3}',
    'cat *.md',
    'cat "conf*"',
    "psql -c 'select conf* from t'",
    'ls *.ts',
    'ls .app/sub/*',
    'ls x/*',
  ])('[GATE-17] is not named by other patterns: %s', async (command) => {
    expect(await bash(command, '/project/.app/config.json')).toBeUndefined()
  })

  it.each([
    ['cat /etc/agen?/token', 'cat /etc/agend?/token'],
    ['cat /etc/a*/*', 'cat /etc/b*/*'],
    ['cat /etc/{agen,x}t/token', 'cat /etc/{agend,x}t/token'],
    ['cat /etc/{agen,x}?/token', 'cat /etc/{agend,x}?/token'],
    ['rm -rf /etc/ag*/x', 'rm -rf /opt/ag*/x'],
    ['cat /etc/*/agent', 'cat /etc/*/token'],
  ])('[GATE-17] is named by a pattern for what lies below it: %s, and not %s', async (command, other) => {
    expect(await bash(command, '/etc/agent')).toBe('/etc/agent')
    expect(await bash(other, '/etc/agent')).toBeUndefined()
  })

  it.each([
    ["bash -c 'cat .en?'", "bash -c 'cat .fn?'"],
    ["eval 'cat .en?'", "eval 'cat .fn?'"],
    ["sh <<< 'cat .en?'", "sh <<< 'cat .fn?'"],
    ['sh -c "bash -c \'cat .en?\'"', 'sh -c "bash -c \'cat .fn?\'"'],
    ['sort -o.env a.txt', 'sort -o x.env a.txt'],
    ['tar -cf.env x', 'tar -cf x.env x'],
    ['grep S -f.env', 'cat my-.env x-y.env'],
    ['xargs -a.env echo', 'xargs -a process.env echo'],
    ['cat ${X:-.env}', 'cat ${X:-a.env}'],
    ['cat ${X-.env}', 'cat ${X-a.env}'],
    ['cat {.,x}env', 'cat {a,x}env'],
    ['cat {.e,}nv', 'cat {.f,}nv'],
    ['cat {.e,"x"}*', 'ls src/{a,b}/*'],
    [`cat ${'{.,x}'.repeat(25)}`, 'cat {a,b}{c,d}'],
    ['cat /proc/self/cwd/.en?', 'cat /proc/self/cwd/.fn?'],
    ['Y=/; cat .$Y.env', 'Y=/; cat .$Y.fnv'],
  ])('[GATE-17] is named by what a shell makes of %s, and not of %s', async (command, other) => {
    expect(await bash(command, '.env')).toBe('.env')
    expect(await bash(other, '.env')).toBeUndefined()
  })

  it('[GATE-17] is mentioned in the texts of other tools', async () => {
    const file = '/project/.app/config.json'
    expect(await named('Other', { text: 'edit .app/config.json' }, [file])).toBe(file)
    expect(await named('Asking', { question: 'What is .app/config.json?' }, [file])).toBe(file)
    expect(await named('Asking', { question: 'What is conf*?' }, [file])).toBeUndefined()
  })

  it('[GATE-17] is the first of those that are named', async () => {
    expect(await named('Bash', { command: 'cat a.json b.json' }, ['c.json', 'b.json', 'a.json'])).toBe('b.json')
    expect(await named('Bash', { command: 'cat a.json' }, [])).toBeUndefined()
  })
})

describe('a protected file that a tool for files names', () => {
  it.each([
    ['Write', { file_path: 'policy.json' }, true],
    ['Write', { file_path: 'x/../policy.json' }, true],
    ['Write', { file_path: '/PROJECT/Policy.json.' }, true],
    ['Write', { file_path: `${'./'.repeat(20_000)}policy.json` }, true],
    ['Write', { file_path: `${'./'.repeat(20_000)}other.json` }, false],
    ['Write', { file_path: `${'./'.repeat(30_000)}other.json` }, true],
    ['Write', { file_path: 'sub/policy.json' }, false],
    ['Write', { file_path: 'policy.*' }, false],
    ['Read', { file_path: 'policy.*' }, true],
    ['Read', { file_path: 'pol{icy,x}.json' }, true],
    ['Read', { file_path: 'other.*' }, false],
    ['Grep', { pattern: 'x', path: 'p*' }, true],
    ['LS', { path: '*' }, false],
    ['Write', { file_path: '/proc/self/root/x' }, true],
    ['Write', { file_path: 'a.md', note: '/proc/self/root/x' }, false],
    ['Write', {}, false],
  ])('[ABUSE-97] %s %j: %s', async (tool, input, is) => {
    expect(await named(tool, input, ['policy.json'])).toBe(is ? 'policy.json' : undefined)
  })

  it('[ABUSE-97] on a drive of Windows is the same by either separator and in any case', async () => {
    const file = 'C:\\app\\policy.json'
    for (const path of ['c:/app/policy.json', 'C:\\APP\\x\\..\\policy.json', 'C:/app/policy.json::$DATA'])
      expect(await named('Write', { file_path: path }, [file])).toBe(file)
    expect(await named('Write', { file_path: 'D:\\app\\policy.json' }, [file])).toBeUndefined()
    expect(await named('Write', { file_path: 'policy.json' }, ['policy.json'], 'C:\\app')).toBe('policy.json')
    expect(await named('Write', { file_path: 'c:\\app\\policy.json' }, ['policy.json'], 'C:\\app')).toBe('policy.json')
  })

  it.each([
    ['Write', { file_path: 'keep/sub/x' }, true],
    ['Read', { file_path: 'keep/sub' }, true],
    ['move_file', { source: 'keep', destination: 'x' }, true],
    ['delete_file', { path: '/project' }, true],
    ['delete_file', { path: '.' }, true],
    ['Write', { file_path: 'keep' }, true],
    ['Read', { file_path: 'keep' }, false],
    ['LS', { path: 'keep' }, false],
    ['Grep', { pattern: 'x', path: '.' }, false],
    ['Grep', { pattern: 'x', path: '.', glob: 'keep/s*' }, true],
    ['Grep', { pattern: 'x', glob: '**/su?' }, true],
    ['Grep', { pattern: 'x', glob: '*.ts' }, false],
    ['read_many_files', { paths: ['a'], include: 'keep/*' }, true],
    ['Read', { file_path: 'sub', root: 'keep' }, true],
  ])('[GATE-17] %s %j reaches keep/sub: %s', async (tool, input, is) => {
    expect(await named(tool, input, ['keep/sub'])).toBe(is ? 'keep/sub' : undefined)
  })

  it.each([
    ['Write', { file_path: '$HOME/.bashrc' }, '/home/u/.bashrc', true],
    ['Write', { file_path: '${HOME}/.bashrc' }, '/home/u/.bashrc', true],
    ['Read', { file_path: '~/.ssh/id_rsa' }, '/home/u/.ssh', true],
    ['Read', { file_path: '~/.env' }, '.env', true],
    ['Read', { file_path: '$PWD/.env' }, '.env', true],
    ['Grep', { pattern: 'x', glob: '~/.ss?/*' }, '/home/u/.ssh', true],
    ['delete_file', { path: '~' }, '/home/u/.ssh', true],
    ['Read', { file_path: '~' }, '/home/u/.ssh', false],
    ['Read', { file_path: '~/.ssh-old/id_rsa' }, '/home/u/.ssh', false],
    ['Read', { file_path: '$id/.envrc' }, '.env', false],
    ['Grep', { pattern: 'x', glob: '/home/u/.ss?' }, '/home/u/.ssh', true],
    ['Grep', { pattern: 'x', glob: '/home/u/s*' }, '/home/u/.ssh', false],
    ['Grep', { pattern: 'x', glob: '{.env,x}' }, '.env', true],
    ['Grep', { pattern: 'x', glob: '{.envrc,x}' }, '.env', false],
    ['Grep', { pattern: '.env' }, '.env', false],
    ['Glob', { pattern: '{.env,x}' }, '.env', false],
  ])('[GATE-17] %s %j reaches %s, from any home folder: %s', async (tool, input, file, is) => {
    expect(await named(tool, input, [file], '/home/u')).toBe(is ? file : undefined)
  })

  it('[GATE-17] by a relative path may be in any folder if the working folder is unknown', async () => {
    const gate = openGate({ policy: { protect: ['/home/u/.env'] } })
    const judge = async (file_path: string) => (await gate.judge({ tool: 'Read', input: { file_path } })).allowed
    expect(await judge('.env')).toBe(false)
    expect(await judge('.envrc')).toBe(true)
  })

  it.each([
    ['groups in braces', { root: 'a', cwd: 'b', glob: list(250, (at) => `${'{a,b}'.repeat(6)}*${at}`) }],
    ['globs', { glob: list(1_600, (at) => `${'{a}'.repeat(19)}*${at}`) }],
    ['long paths', { path: list(3_000, (at) => `${at}/`.repeat(1_000)) }],
    ['globs without a path', { glob: list(3_000, (at) => `src/*${at}.ts`) }],
    ['long folders', { root: '/'.repeat(60_000), path: list(1_000, String) }],
  ])('[GATE-17] may be any of them in a call with too many %s', async (_, input) => {
    const files = ['/etc/agent', 'policy/rules.json', '.env']
    expect(await named('Grep', { pattern: 'x', ...input }, files)).toBe(files[0])
    expect(await named('Grep', { pattern: 'x', glob: list(200, (at) => `src/{a,b}/*${at}.ts`) }, files)).toBeUndefined()
  })
})

function list(length: number, item: (at: number) => string): readonly string[] {
  return Array.from({ length }, (_, at) => item(at))
}
