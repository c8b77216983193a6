import { describe, expect, it } from 'vitest'
import type { CallContext } from '../../src/call.ts'
import { protectedBy } from '../../src/protect/protected-file.ts'
import { toolset } from '../toolset.ts'
import { readCall } from '../../src/judge.ts'

const tools = toolset({ Asking: { argument: 'question', kind: 'text' } })

const bashProtected = (command: string, file: string, context: CallContext) =>
  protectedBy(readCall({ tool: 'Bash', input: { command } }, context), [file])

/** The protected file that a call names, if it names one. */
function named(
  tool: string,
  input: unknown,
  files: readonly string[],
  cwd: string | undefined = '/project',
): string | undefined {
  const found = protectedBy(readCall({ tool, input }, { tools, cwd }), files)
  return found?.by === 'name' ? found.file : undefined
}
const bash = (command: string, file: string, cwd?: string) => named('Bash', { command }, [file], cwd)

describe('a protected file that a command speaks of', () => {
  it.each(['echo x > policy.json', `echo x > "pol"icy.json`, 'echo x > POL\\ICY.JSON', 'cat other/policy.json'])(
    '[ABUSE-97] in the working folder is named by its name: %s',
    (command) => {
      for (const file of ['policy.json', '/project/policy.json', './policy.json'])
        expect(bash(command, file)).toBe(file)
    },
  )

  it('[ABUSE-97] elsewhere is named by its name with that of its folder', () => {
    const file = '/etc/app/policy.json'
    expect(bash('cd /etc/app; echo x > policy.json', file)).toBe(file)
    expect(bash('cp x APP/policy.json', file)).toBe(file)
    expect(bash('echo x > policy.json', file)).toBeUndefined()
    expect(bash('cd /etc/app; ls', file)).toBeUndefined()
    expect(bash('cd /etc; ls', file)).toBeUndefined()
    // By the nearest folder, and by no other one above.
    expect(bash('ls /etc/policy.json', '/etc/deep/policy.json')).toBeUndefined()
  })

  it('[ABUSE-97] is named with its folder too where no working folder is known', () => {
    const file = '/project/policy.json'
    expect(bashProtected('cat policy.json', file, { tools })).toBeUndefined()
    expect(bashProtected('cat project/policy.json', file, { tools })).toEqual({ file, by: 'name' })
  })

  it('[ABUSE-97] in the root is named by its name', () => {
    expect(bash('cat policy.json', '/policy.json')).toBe('/policy.json')
    expect(bash('cat policy.json', '/policy.json', '/')).toBe('/policy.json')
  })

  it.each([
    'cat .env',
    'rm .env.',
    'cat .env, x',
    'cat .env*',
    'x=.env',
    'printf ".env\\nx" | xargs cat',
    'cat a/.env:x',
    'cat .env.example .env',
    'cat .en\\\nv',
    "cat $'.en\\x76'",
    "cat $'\\56en'v",
    "cat .$'e\\u006e\\U00000076'",
  ])('[ABUSE-97] is named where its name ends there: %s', (command) => {
    expect(bash(command, '.env')).toBe('.env')
  })

  it.each(['cat .env.example', 'cat .env-x .env_y .env3', 'echo process.env.FOO', 'source .envrc', 'cat .environment'])(
    '[ABUSE-97] is not named by a longer name: %s',
    (command) => {
      expect(bash(command, '.env')).toBeUndefined()
    },
  )

  it('[ABUSE-97] is the first of those that are named', () => {
    expect(named('Bash', { command: 'cat a.json b.json' }, ['c.json', 'b.json', 'a.json'])).toBe('b.json')
    expect(named('Bash', { command: 'cat a.json' }, [])).toBeUndefined()
  })
})

describe('a protected file that a word of a command may expand to', () => {
  const file = '/project/.app/config.json'

  it.each([
    'cat .app/conf*',
    'cat .app/*',
    'cat .*/config.json*',
    'cat {.app,x}/config.{json,md}',
    'cat .a{a..z}p/conf*',
    'shopt -s dotglob; cat */conf*',
    'bash -c "cat .app/conf*"',
    'X=".app/conf*"; cat $X',
    'cat ".app/"con[[:alpha:]]ig.json',
    'cat "$(echo \'"\')"/../.app/conf* .app/conf*',
    'cat .app/@(config|x).js?n',
    `cat ${'{a,b}'.repeat(7)}`,
    'cat .app/config.[jx]son',
    'cat .app/config.[abcdefghijklmno]son',
    'cat .app/{config,other}.json',
    'cat .app/c?nfig.json',
    'cat ".app"/c\\onf*',
    'cat /project/.app/*.json',
    'cat<.app/conf*',
    'a=`cat .app/conf*`',
    'cat x;cat .app/conf*|cat',
    'cat (.app/conf*)',
    'cat ../project/.app/conf*',
  ])('[ABUSE-97] is named by it: %s', (command) => {
    expect(bash(command, file)).toBe(file)
  })

  it.each([
    'cat *.json',
    'cat */config.js*',
    'cat ?app/config.js*',
    'cat ".app/conf*"',
    "psql -c 'select .app/conf* from t'",
    'expr .app/\\* 3',
    'cat .app/{}',
    'cat .app/{config}.js?n',
    'cat .app/config.[]',
    'cat .app/*/conf*',
    'cat .app/*.md',
    'cat other/conf*',
    'cat .app/config.[x/y]son',
    'cat /.app/conf*',
    `cat .app/${'c'.repeat(1_000)}*`,
    'cat .app',
  ])('[ABUSE-97] is not named by what stands for others: %s', (command) => {
    expect(bash(command, file)).toBeUndefined()
  })

  it('[ABUSE-97] is not looked for in the texts of tools that expand nothing', () => {
    expect(named('Other', { text: '.app/conf*' }, [file])).toBeUndefined()
    expect(named('Asking', { question: 'What is .app/conf* for?' }, [file])).toBeUndefined()
    expect(named('Other', { text: 'edit .app/config.json' }, [file])).toBe(file)
    expect(named('Asking', { question: 'What is .app/config.json?' }, [file])).toBe(file)
  })
})

describe('a protected file that a tool for files names', () => {
  it.each([
    ['Write', { file_path: 'policy.json' }, true],
    ['Write', { file_path: 'x/../policy.json' }, true],
    ['Write', { file_path: '/PROJECT/Policy.json.' }, true],
    ['Write', { file_path: `${'./'.repeat(32_762)}policy.json` }, true],
    ['Write', { file_path: `${'./'.repeat(32_763)}policy.json` }, false],
    ['Write', { file_path: 'sub/policy.json' }, false],
    ['Write', { file_path: 'policy.*' }, false],
    ['Read', { file_path: 'policy.*' }, true],
    ['Read', { file_path: 'pol{icy,x}.json' }, true],
    ['Read', { file_path: 'a.md', note: 'policy.*' }, false],
    ['Read', { file_path: 'a.md', note: 'policy.json' }, true],
    ['Read', { file_path: 'other.*' }, false],
    ['Grep', { pattern: 'x', path: 'p*' }, true],
    ['LS', { path: '*' }, false],
    ['Write', { file_path: '/proc/self/root/x' }, true],
    ['Write', { file_path: 'a.md', note: '/proc/self/root/x' }, false],
    ['Write', { other: '/proc/self/root/x' }, true],
    ['Write', {}, false],
    ['Write', null, false],
  ])('[ABUSE-97] %s %j: %s', (tool, input, is) => {
    expect(named(tool, input, ['policy.json'])).toBe(is ? 'policy.json' : undefined)
  })

  it('[ABUSE-97] on a drive of Windows is the same by either separator and in any case', () => {
    const file = 'C:\\app\\policy.json'
    for (const path of ['c:/app/policy.json', 'C:\\APP\\x\\..\\policy.json', 'C:/app/policy.json::$DATA'])
      expect(named('Write', { file_path: path }, [file])).toBe(file)
    expect(named('Write', { file_path: 'D:\\app\\policy.json' }, [file])).toBeUndefined()
    expect(named('Write', { file_path: 'policy.json' }, ['policy.json'], 'C:\\app')).toBe('policy.json')
    expect(named('Write', { file_path: 'c:\\app\\policy.json' }, ['policy.json'], 'C:\\app')).toBe('policy.json')
  })
})
