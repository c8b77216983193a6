import type { Explanation, StepView } from '@repertoire/core'
import { type ConfigurationSettings, openConfigured } from '@repertoire/core/node'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { openAdapterSession } from '@repertoire/core/adapter'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Ended, cleanEnv, inProcess, manifest, temporaryFolder, write } from '../command.ts'

const SEEING = [['list'], ['show', 'pdf'], ['explain', 'pdf'], ['show', '--prompt']] as const

interface Listed {
  readonly skills: readonly { readonly name: string; readonly layer: string; readonly location: string }[]
  readonly diagnostics: readonly { readonly code: string; readonly path: string }[]
  readonly configuration: { readonly file?: string; readonly settings: ConfigurationSettings }
}

let base: string
let cwd: string
let env: Readonly<Record<string, string>>
/** The user's own file and the project's. */
let own: string
let ours: string

beforeEach(async () => {
  base = await temporaryFolder()
  cwd = join(base, 'work')
  env = { HOME: join(base, 'home'), USERPROFILE: join(base, 'home'), XDG_CONFIG_HOME: join(base, 'config') }
  if (process.platform === 'win32') env = { ...env, APPDATA: join(base, 'config') }
  own = join(base, 'config/repertoire/repertoire.config.json')
  ours = join(cwd, '.repertoire/config.json')
  await write(base, {
    'work/.agents/skills/pdf/SKILL.md': manifest('pdf'),
    'home/.agents/skills/usual/SKILL.md': manifest('usual'),
    'mine/csv/SKILL.md': manifest('csv'),
  })
})

const configure = (files: Readonly<Record<string, unknown>>): Promise<void> =>
  write(
    base,
    Object.fromEntries(
      Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  )
const USER = 'config/repertoire/repertoire.config.json'
const PROJECT = 'work/.repertoire/config.json'

const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  inProcess(args, { cwd, env: { ...env, ...more } })
async function listed(args: readonly string[] = [], more: Readonly<Record<string, string>> = {}): Promise<Listed> {
  const { stdout, stderr } = await run(['list', '--json', ...args], more)
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Listed
}
const namesOf = ({ skills }: Listed): readonly string[] =>
  skills.filter(({ layer }) => layer !== 'bundled').map(({ name }) => name)

describe('the configuration', () => {
  it('[DISC-9] is that of a host: places, profile and layers come from the file', async () => {
    await configure({
      [USER]: {
        profile: 'lenient',
        layers: ['project', 'personal'],
        roots: { personal: ['~/.agents/skills', join(base, 'mine')], bundled: false },
      } satisfies ConfigurationSettings,
      'mine/pdf/SKILL.md': manifest('pdf', '', 'Mine, and lower.'),
      'mine/small/skill.md': manifest('small'),
    })
    const host = await openConfigured({ project: cwd, env: cleanEnv(env) })
    const view = await openAdapterSession(host).step({ tools: [] })
    await host.close()
    expect(view.system(undefined)).toContain('small')
    const ended = await inProcess(['show', '--prompt', '--json'], { cwd, env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const { system, tools, cuts } = JSON.parse(ended.stdout) as Pick<StepView, 'tools' | 'cuts'> & { system: string }
    expect({ system, tools, cuts }).toEqual({ system: view.system(undefined), tools: view.tools, cuts: view.cuts })
    const { skills } = await listed()
    expect(skills.map(({ name, layer, location }) => [name, layer, location])).toEqual([
      ['csv', 'personal', join(base, 'mine/csv')],
      ['pdf', 'project', join(cwd, '.agents/skills/pdf')],
      ['small', 'personal', join(base, 'mine/small')],
      ['usual', 'personal', join(base, 'home/.agents/skills/usual')],
    ])
    expect(JSON.parse((await run(['show', 'small', '--json'])).stdout)).toMatchObject({
      diagnostics: [{ code: 'MANIFEST_MISNAMED', severity: 'warning' }],
    })
  })

  it('[DISC-9] tells which file was read and what it sets', async () => {
    await configure({ [USER]: { profile: 'lenient', layers: ['project'] } })
    const ended = await run(['explain', 'pdf', '--json'])
    expect(JSON.parse(ended.stdout)).toMatchObject({
      verdict: 'shown',
      configuration: { file: own, settings: { profile: 'lenient', layers: ['project'] } },
    })
  })

  it('[SHOW-7] lists within the share of the window that is named', async () => {
    const budgetOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run(['show', '--prompt', '--json', ...args])
      return (JSON.parse(stdout) as { readonly cuts: { readonly budget?: number } }).cuts.budget
    }
    expect(await budgetOf()).toBe(4000)
    expect(await budgetOf('--context-window', '10000')).toBe(200)
  })

  it('[DISC-9] looks only into a ROOT that was named, and reads it as the file says', async () => {
    await configure({
      [USER]: {
        profile: 'strict',
        followLinks: ['project'],
        trustProject: false,
        roots: { personal: [join(base, 'mine')] },
      },
      'elsewhere/far/SKILL.md': manifest('far'),
      'work/skills/near/SKILL.md': manifest('near'),
      'work/skills/odd/SKILL.md': manifest('odd', 'colour: red\n'),
    })
    await symlink(join(base, 'elsewhere/far'), join(cwd, 'skills/far'))
    const rooted = await listed(['skills'])
    // Followed and judged as the host would; and what a person names, they vouch for.
    expect(rooted.skills.map(({ name }) => name)).toEqual(['far', 'near'])
    expect(rooted.configuration).toEqual({
      file: own,
      settings: expect.objectContaining({ profile: 'strict', followLinks: ['project'] }) as object,
    })
  })

  it('[DISC-9] takes the file that --config names, from the current folder', async () => {
    await configure({ [USER]: { profile: 'lenient' }, 'work/one.json': { roots: { personal: ['../mine'] } } })
    expect(namesOf(await listed())).toEqual(['pdf', 'usual'])
    const one = await listed(['--config', 'one.json'])
    expect(namesOf(one)).toEqual(['csv', 'pdf'])
    expect(one.configuration.file).toBe(join(cwd, 'one.json'))
    expect(one.configuration.settings).not.toHaveProperty('profile')
    const gone = await run(['list', '--config', 'gone.json'])
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toMatch(/^error: The configuration is invalid\. .*gone\.json does not exist\./)
    const empty = await run(['list', '--config', ''])
    expect(empty).toMatchObject({ code: 2, stdout: '' })
    expect(empty.stderr).toMatch(/^error: .*file is empty/)
  })

  it('[DISC-9] reads no file with --no-config, not even a broken one, and the environment all the same', async () => {
    await configure({ [USER]: '{' })
    expect((await run(['list', '--json'])).code).toBe(2)
    const plain = await listed(['--no-config'], { REPERTOIRE_SKILLS_DIR: join(base, 'mine') })
    expect(namesOf(plain)).toEqual(['csv', 'pdf'])
    expect(plain.configuration.file).toBeUndefined()
    // The project's packages are a place that no file names.
    await configure({
      'work/package.json': { dependencies: { tools: '1.0.0' } },
      'work/node_modules/tools/package.json': { name: 'tools', version: '1.0.0' },
      'work/node_modules/tools/skills/plug/SKILL.md': manifest('plug'),
    })
    expect(namesOf(await listed(['--no-config']))).toEqual(['pdf', 'plug', 'usual'])
  })

  it('[DISC-9] looks with --recursive into all of the current folder instead of what is configured, but not into packages', async () => {
    await configure({
      [USER]: { roots: { personal: [join(base, 'mine')], project: [join(base, 'shared')] } },
      'shared/both/SKILL.md': manifest('both'),
      'work/docs/deep/deeper/SKILL.md': manifest('deeper'),
      'work/package.json': { dependencies: { tools: '1.0.0' } },
      'work/node_modules/tools/package.json': { name: 'tools', version: '1.0.0' },
      'work/node_modules/tools/skills/plug/SKILL.md': manifest('plug'),
    })
    expect(namesOf(await listed())).toEqual(['both', 'csv', 'plug'])
    expect(namesOf(await listed(['--recursive']))).toEqual(['deeper', 'pdf'])
  })

  it('[DISC-11] loads nothing of a project that is not trusted, and does not read its file', async () => {
    await configure({ [USER]: { trustProject: false }, [PROJECT]: { enabled: false } })
    for (const args of [[], ['.agents/skills']]) {
      const found = await listed(args)
      expect(namesOf(found)).toEqual(args.length > 0 ? ['pdf'] : ['usual'])
      const unread = found.diagnostics.filter(({ path }) => path === ours)
      expect(unread.map(({ code }) => code)).toEqual(['WORKSPACE_UNTRUSTED'])
      expect(found.configuration.file).toBe(own)
    }
    const { skills, diagnostics } = await listed(['--recursive'])
    expect([skills, diagnostics.map(({ code, path }) => [code, path])]).toEqual([[], [['WORKSPACE_UNTRUSTED', cwd]]])
  })

  it('[DISC-9] shows nothing where skills are switched off, and says by what', async () => {
    const offs: readonly { files: Record<string, object>; more?: Record<string, string>; said: string }[] = [
      { files: { [USER]: { enabled: false } }, said: `"enabled" is false in ${own}` },
      { files: { [USER]: {} }, more: { REPERTOIRE_ENABLED: '0' }, said: 'REPERTOIRE_ENABLED' },
    ]
    for (const { files, more = {}, said } of offs) {
      await configure(files)
      for (const root of [[], ['.agents/skills']]) {
        const found = await listed(root, more)
        expect(found.skills).toEqual([])
        expect(found.configuration.settings).toMatchObject({ enabled: false })
        for (const [args, code, stream] of [
          [['list', ...root], 0, 'stdout'],
          [['show', 'pdf', ...root], 1, 'stderr'],
          [['explain', 'pdf', ...root], 1, 'stdout'],
          [['show', '--prompt', ...root], 0, 'stderr'],
        ] as const) {
          const ended = await run(args, more)
          expect(ended.code).toBe(code)
          expect(ended[stream]).toMatch(/^(?:"pdf" is not shown\. |error: )?Skills are switched off/)
          expect(ended[stream]).toContain(said)
          expect(ended[stream].match(/\n/g)).toHaveLength(1)
          expect(ended[stream === 'stdout' ? 'stderr' : 'stdout']).toBe('')
        }
        const { text } = JSON.parse((await run(['explain', 'pdf', '--json', ...root], more)).stdout) as Explanation
        expect(text).toContain(said)
      }
    }
    // Switched off by the user's file, that is.
    await configure({ [USER]: { enabled: false } })
    expect((await run(['list'])).stdout).toContain(own)
    expect(namesOf(await listed(['--no-config']))).toEqual(['pdf', 'usual'])
    expect((await run(['list', 'no-such-folder'])).code).toBe(1)
  })
})

describe('an invalid configuration', () => {
  it('[DISC-9] ends every command that looks for skills with 2, and is told with file, setting and what to do', async () => {
    await configure({ [USER]: { profile: 'loose' } })
    const others = [
      ['check', 'pdf'],
      ['export', 'plugin', '-o', 'out'],
      ['run', 'pdf'],
      ['search', 'pdf'],
    ] as const
    for (const args of [...SEEING, ...others]) {
      const ended = await run([...args, '--json'])
      expect(ended.code).toBe(2)
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'CONFIGURATION_INVALID' } })
      expect(ended.stderr).toBe(
        `error: The configuration is invalid. ${own}: \`profile\` is "loose". Give "strict", "default" or "lenient". Use --no-config to ignore the file.\n`,
      )
    }
    // Of the environment there is nothing to look past.
    await configure({ [USER]: {} })
    for (const args of [['list'], ['list', '--no-config']]) {
      const { stderr } = await run(args, { REPERTOIRE_ENABLED: 'maybe' })
      expect(stderr).toMatch(/^error: The configuration is invalid\. the environment: `enabled` is "maybe"\..*\.\n$/)
    }
  })

  it('[DISC-9, ABUSE-93] writes no control characters to the terminal', async () => {
    const hostile = '\u001B]0;owned\u0007\u009B2J\u202E'
    for (const content of [{ [hostile]: 1 }, `{ "style": "${hostile}" }`, `${hostile}{`]) {
      await configure({ [USER]: content })
      for (const args of SEEING) {
        const { code, stdout, stderr } = await run(args)
        expect([code, stdout]).toEqual([2, ''])
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/)
      }
    }
  })
})
