import type { Explanation, StepView } from '@repertoire/core'
import { type ConfigurationSettings, openConfigured } from '@repertoire/core/node'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { openAdapterSession } from '@repertoire/core/adapter'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ShownConfiguration } from '../../src/output/configuration.ts'
import { type Ended, cleanEnv, inProcess, manifest, temporaryFolder, write } from '../command.ts'

const SEEING = [['list'], ['show', 'pdf'], ['explain', 'pdf'], ['prompt']] as const

interface Listed {
  readonly skills: readonly { readonly name: string; readonly layer: string; readonly location: string }[]
  readonly diagnostics: readonly { readonly code: string; readonly path: string }[]
  readonly configuration: ShownConfiguration
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
  it('[DISC-9] is that of a host: places, style, profile, layers and budget come from the files and the environment', async () => {
    await configure({
      [USER]: {
        profile: 'lenient',
        listingBudget: { window: 50_000 },
        layers: ['project', 'personal'],
        roots: { personal: ['~/.agents/skills', join(base, 'mine')], bundled: false },
        // Would keep the command from its end.
        watch: true,
      } satisfies ConfigurationSettings,
      [PROJECT]: { style: 'section' },
      'mine/pdf/SKILL.md': manifest('pdf', '', 'Mine, and lower.'),
      'mine/small/skill.md': manifest('small'),
    })
    const host = await openConfigured({ project: cwd, env: cleanEnv({ ...env, REPERTOIRE_COLLISION: 'last' }) })
    const view = openAdapterSession(host).beginStep([])
    await host.close()
    expect(view.system(undefined)).toContain('Available Skills')
    const ended = await inProcess(['prompt', '--json'], { cwd, env: { ...env, REPERTOIRE_COLLISION: 'last' } })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const { system, tools, cuts } = JSON.parse(ended.stdout) as Pick<StepView, 'tools' | 'cuts'> & { system: string }
    expect({ system, tools, cuts }).toEqual({ system: view.system(undefined), tools: view.tools, cuts: view.cuts })
    expect(cuts.budget).toBe(1000)
    const { skills } = await listed()
    expect(skills.map(({ name, layer, location }) => [name, layer, location])).toEqual([
      ['csv', 'personal', join(base, 'mine/csv')],
      ['pdf', 'project', join(cwd, '.agents/skills/pdf')],
      ['small', 'personal', join(base, 'mine/small')],
      ['usual', 'personal', join(base, 'home/.agents/skills/usual')],
    ])
    const { stdout } = await run(['list', '--by-layer'])
    expect(stdout.split('\n').filter((line) => /^\w+ {2}\d/.test(line))).toEqual([
      'project  1 skill',
      'personal  3 skills',
    ])
    expect(JSON.parse((await run(['show', 'small', '--json'])).stdout)).toMatchObject({
      diagnostics: [{ code: 'MANIFEST_MISNAMED', severity: 'warning' }],
    })
  })

  it('[DISC-9] tells which files were read and where each setting came from, options before all else', async () => {
    await configure({
      [USER]: { profile: 'lenient', style: 'tool', collision: 'last', cacheTtl: 5 },
      [PROJECT]: { profile: 'strict', style: 'tools' },
    })
    const more = { REPERTOIRE_STYLE: 'matched', REPERTOIRE_FOLLOW_LINKS: 'plugin' }
    const ended = await run(['explain', 'pdf', '--json', '--follow-links', '--budget', '5%'], more)
    expect(JSON.parse(ended.stdout)).toMatchObject({ verdict: 'shown' })
    const { configuration } = JSON.parse(ended.stdout) as { readonly configuration: ShownConfiguration }
    expect(configuration).toEqual({
      files: [own, ours],
      settings: {
        profile: { value: 'strict', from: 'project', at: ours },
        style: { value: 'matched', from: 'environment', at: 'REPERTOIRE_STYLE' },
        listingBudget: { value: { share: 0.05 }, from: 'option' },
        collision: { value: 'last', from: 'user', at: own },
        'roots.enterprise': { value: [], from: 'environment', at: 'REPERTOIRE_ENTERPRISE_SKILLS' },
        followLinks: { value: ['enterprise', 'personal', 'project', 'plugin'], from: 'option' },
      },
    })
    expect((await listed(['--profile', 'lenient'], more)).configuration.settings).toMatchObject({
      profile: { value: 'lenient', from: 'option' },
    })
    const styled = await run(['prompt', '--json', '--style', 'tool'], more)
    expect(JSON.parse(styled.stdout)).toMatchObject({
      configuration: { settings: { style: { value: 'tool', from: 'option' } } },
    })
    const { stdout } = await run(['explain', 'pdf', '--budget', '5%'], more)
    expect(stdout.split('\n').slice(-7)).toEqual([
      'Configured:',
      `  profile           "strict", from ${join('.repertoire', 'config.json')}`,
      '  style             "matched", from REPERTOIRE_STYLE',
      `  collision         "last", from ${own}`,
      '  roots.enterprise  [], from REPERTOIRE_ENTERPRISE_SKILLS',
      '  followLinks       ["plugin"], from REPERTOIRE_FOLLOW_LINKS',
      '',
    ])
  })

  it('[DISC-9, SHOW-7] keeps the part of a configured budget that no option replaces', async () => {
    const budgetOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run(['prompt', '--json', ...args])
      return (JSON.parse(stdout) as { readonly cuts: { readonly budget?: number } }).cuts.budget
    }
    expect(await budgetOf()).toBe(4000)
    await configure({ [USER]: { listingBudget: { window: 50_000, share: 0.1 } } })
    expect(await budgetOf()).toBe(5000)
    expect(await budgetOf('--budget', '1%')).toBe(500)
    expect(await budgetOf('--context-window', '10000')).toBe(1000)
    expect(await budgetOf('--budget', 'none')).toBeUndefined()
    await configure({ [USER]: { listingBudget: false } })
    expect(await budgetOf()).toBeUndefined()
    expect(await budgetOf('--context-window', '10000')).toBeUndefined()
    expect(await budgetOf('--budget', '1%')).toBe(2000)
  })

  it('[DISC-9] says nothing of places where a ROOT was named, and looks into nothing else', async () => {
    await configure({
      [USER]: { profile: 'strict', followLinks: ['project'], roots: { personal: [join(base, 'mine')] } },
      'elsewhere/far/SKILL.md': manifest('far'),
      'work/skills/near/SKILL.md': manifest('near'),
      'work/skills/odd/SKILL.md': manifest('odd', 'colour: red\n'),
    })
    await symlink(join(base, 'elsewhere/far'), join(cwd, 'skills/far'))
    const rooted = await listed(['skills'], { REPERTOIRE_TRUST_PROJECT: 'false' })
    // Followed and judged as the host would; and what a person names, they vouch for.
    expect(rooted.skills.map(({ name }) => name)).toEqual(['far', 'near'])
    expect(rooted.configuration).toEqual({
      files: [own],
      settings: {
        profile: { value: 'strict', from: 'user', at: own },
        followLinks: { value: ['project'], from: 'user', at: own },
      },
    })
  })

  it('[DISC-9] takes the file that --config names, or else REPERTOIRE_CONFIG, both from the current folder', async () => {
    await configure({
      [USER]: { style: 'tool' },
      'work/one.json': { roots: { personal: ['../mine'] } },
      'work/two.json': { roots: { personal: false } },
    })
    expect(namesOf(await listed())).toEqual(['pdf', 'usual'])
    const one = await listed(['--config', 'one.json'], { REPERTOIRE_CONFIG: 'two.json' })
    expect(namesOf(one)).toEqual(['csv', 'pdf'])
    expect(one.configuration.files).toEqual([join(cwd, 'one.json')])
    expect(one.configuration.settings).not.toHaveProperty('style')
    expect(namesOf(await listed([], { REPERTOIRE_CONFIG: 'two.json' }))).toEqual(['pdf'])
    const gone = await run(['list', '--config', 'gone.json'])
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toMatch(
      /^error: The configuration is invalid\..*\n {2}gone\.json .*\n {4}The file does not exist/s,
    )
    const empty = await run(['list', '--config', ''])
    expect(empty).toMatchObject({ code: 2, stdout: '' })
    expect(empty.stderr).toMatch(/^error: .*file is empty/)
  })

  it('[DISC-9] reads no file with --no-config, not even a broken one, and the environment all the same', async () => {
    await configure({ [USER]: '{', [PROJECT]: { enabled: 'no' }, 'work/two.json': '{' })
    expect((await run(['list', '--json'])).code).toBe(2)
    const plain = await listed(['--no-config'], { REPERTOIRE_CONFIG: 'two.json', REPERTOIRE_STYLE: 'tool' })
    expect(namesOf(plain)).toEqual(['pdf', 'usual'])
    expect(plain.configuration.files).toEqual([])
    expect(plain.configuration.settings).toMatchObject({ style: { from: 'environment' } })
    const project = { REPERTOIRE_PROJECT_SKILLS: join(base, 'mine') }
    expect(namesOf(await listed(['--no-config'], project))).toEqual(['csv', 'usual'])
    // The project's packages are a place that no file names.
    await configure({
      'work/package.json': { dependencies: { tools: '1.0.0' } },
      'work/node_modules/tools/package.json': { name: 'tools', version: '1.0.0' },
      'work/node_modules/tools/skills/plug/SKILL.md': manifest('plug'),
    })
    expect(namesOf(await listed(['--no-config']))).toEqual(['pdf', 'plug', 'usual'])
  })

  it('[DISC-9] looks with --recursive into all of the current folder beside what is configured, but not into packages', async () => {
    await configure({
      [USER]: { roots: { personal: [join(base, 'mine')], project: [join(base, 'shared')] } },
      'shared/both/SKILL.md': manifest('both'),
      'work/docs/deep/deeper/SKILL.md': manifest('deeper'),
      'work/package.json': { dependencies: { tools: '1.0.0' } },
      'work/node_modules/tools/package.json': { name: 'tools', version: '1.0.0' },
      'work/node_modules/tools/skills/plug/SKILL.md': manifest('plug'),
    })
    expect(namesOf(await listed())).toEqual(['both', 'csv', 'plug'])
    expect(namesOf(await listed(['--recursive']))).toEqual(['both', 'csv', 'deeper', 'pdf'])
  })

  it('[DISC-11] loads nothing of a project that is not trusted, and does not read its file', async () => {
    await configure({ [USER]: { trustProject: false }, [PROJECT]: { enabled: false } })
    for (const args of [[], ['--recursive'], ['.agents/skills']]) {
      const found = await listed(args)
      expect(namesOf(found)).toEqual(args[0] === '.agents/skills' ? ['pdf'] : ['usual'])
      const unread = found.diagnostics.filter(({ path }) => path === ours)
      expect(unread.map(({ code }) => code)).toEqual(['WORKSPACE_UNTRUSTED'])
      expect(found.configuration.files).toEqual([own])
      expect(found.configuration.settings).not.toHaveProperty('enabled')
    }
  })

  it('[DISC-9] shows nothing where skills are switched off, and says by what', async () => {
    const offs: readonly { files: Record<string, object>; more?: Record<string, string>; said: string }[] = [
      { files: { [USER]: { enabled: false } }, said: `"enabled" is false in ${own}` },
      {
        files: { [USER]: {}, [PROJECT]: { enabled: false } },
        said: `"enabled" is false in ${join('.repertoire', 'config.json')}`,
      },
      { files: { [PROJECT]: {} }, more: { REPERTOIRE_ENABLED: '0' }, said: 'REPERTOIRE_ENABLED' },
    ]
    for (const { files, more = {}, said } of offs) {
      await configure(files)
      for (const root of [[], ['.agents/skills']]) {
        const found = await listed(root, more)
        expect(found.skills).toEqual([])
        expect(found.configuration.settings).toMatchObject({ enabled: { value: false } })
        for (const [args, code, stream] of [
          [['list', ...root], 0, 'stdout'],
          [['show', 'pdf', ...root], 1, 'stderr'],
          [['explain', 'pdf', ...root], 1, 'stdout'],
          [['prompt', ...root], 0, 'stderr'],
        ] as const) {
          const ended = await run(args, more)
          expect(ended.code).toBe(code)
          expect(ended[stream]).toMatch(/^(?:"pdf" is not shown\. )?Skills are switched off/)
          expect(ended[stream]).toContain(said)
          expect(ended[stream].match(/\n/g)).toHaveLength(1)
          expect(ended[stream === 'stdout' ? 'stderr' : 'stdout']).toBe('')
        }
        const { text } = JSON.parse((await run(['explain', 'pdf', '--json', ...root], more)).stdout) as Explanation
        expect(text).toContain(said)
      }
    }
    // Switched off by the user's file, that is.
    await configure({ [USER]: { enabled: false }, [PROJECT]: { enabled: true } })
    expect((await run(['list'])).stdout).toContain(own)
    expect(namesOf(await listed(['--no-config']))).toEqual(['pdf', 'usual'])
    expect((await run(['list', 'no-such-folder'])).code).toBe(1)
  })
})

describe('an invalid configuration', () => {
  it('[DISC-9] ends every command that looks for skills with 2, and is told with file, line, setting and what to do', async () => {
    await configure({ [USER]: '{\n  "stlye": "xml",\n  "profile": "loose",\n  "watch": 1\n}\n' })
    for (const args of SEEING) {
      const ended = await run([...args, '--json'], { REPERTOIRE_STYLE: 'wide' })
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr.split('\n')).toEqual([
        'error: The configuration is invalid. Use --no-config to ignore its files.',
        '',
        '4 errors',
        `  ${own}:2  CONFIGURATION_INVALID`,
        '    "stlye" is not a setting. Did you mean "style"?',
        `  ${own}:3  CONFIGURATION_INVALID`,
        '    "profile" takes strict, default or lenient, not "loose".',
        `  ${own}:4  CONFIGURATION_INVALID`,
        '    "watch" takes true or false, not 1.',
        '  REPERTOIRE_STYLE  CONFIGURATION_INVALID',
        '    "style" takes xml, section, tool, tools or matched, not "wide".',
        '',
      ])
    }
    // Of the environment there is nothing to look past.
    await configure({ [USER]: {} })
    for (const args of [['list'], ['list', '--no-config']]) {
      const { stderr } = await run(args, { REPERTOIRE_STYLE: 'wide' })
      expect(stderr).toMatch(/^error: The configuration is invalid\.\n\n1 error\n {2}REPERTOIRE_STYLE /)
    }
  })

  it('[DISC-9] is one of a project that sets what is not its to set, or whose file is a link', async () => {
    await configure({ [PROJECT]: { trustProject: true } })
    const more = await run(['list'])
    expect(more).toMatchObject({ code: 2, stdout: '' })
    expect(more.stderr).toMatch(/config\.json .*\n {4}"trustProject" is not a project's to set/)
    const other = await temporaryFolder()
    await write(other, { 'config.json': '{ "enabled": false }' })
    await mkdir(join(other, 'work'))
    await symlink(other, join(other, 'work/.repertoire'))
    const linked = await inProcess(['list'], { cwd: join(other, 'work'), env })
    expect(linked).toMatchObject({ code: 2, stdout: '' })
    expect(linked.stderr).toMatch(/\n {4}The file is a link, or is reached through one\. Put the file itself there\.\n/)
  })

  it('[DISC-9, ABUSE-93] floods no terminal, and writes no control characters to it', async () => {
    const hostile = '\u001B]0;owned\u0007\u009B2J\u202E'
    const keys = Array.from({ length: 500 }, (_, index) => [`${hostile}${index}`, 1])
    await configure({ [PROJECT]: Object.fromEntries(keys) as object })
    for (const args of SEEING) {
      const { code, stdout, stderr } = await run(args)
      expect([code, stdout]).toEqual([2, ''])
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/)
      expect(stderr).toContain('500 errors\n')
      expect(stderr).toContain('and 450 more, not shown\n')
      expect(stderr).not.toContain('--diagnostics')
      expect(stderr.split('\n').length).toBeLessThan(110)
    }
    await configure({ [PROJECT]: `{ "style": "${hostile}" }` })
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect((await run(['list'])).stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/)
  })
})

describe('validate', () => {
  it('[DISC-9, MAN-3] judges the same on every machine: by the profile of the project alone, or the one that is given', async () => {
    await configure({ 'work/odd/SKILL.md': manifest('odd', 'colour: red\n') })
    const validate = (...args: readonly string[]) => run(['validate', 'odd', ...args], { REPERTOIRE_PROFILE: 'strict' })
    await configure({ [USER]: { profile: 'strict', enabled: false } })
    expect(await validate()).toMatchObject({ code: 0, stderr: '' })
    await configure({ [PROJECT]: { profile: 'strict', enabled: false } })
    const strict = await validate()
    expect(strict.code).toBe(1)
    expect(strict.stdout).toContain(
      `1 of 1 file not valid · 1 error · profile strict, from ${join('.repertoire', 'config.json')}\n`,
    )
    expect(JSON.parse((await validate('--json')).stdout)).toMatchObject({ valid: false })
    const given = await validate('--profile', 'default')
    expect(given.code).toBe(0)
    expect(given.stdout).not.toContain('profile')
    // A project makes nothing more lenient.
    await configure({ [PROJECT]: { profile: 'lenient' } })
    expect((await validate()).stdout).not.toContain('profile')
  })

  it('[DISC-9] ends with 2 where the project has an invalid file, unless a profile is given', async () => {
    await configure({ [PROJECT]: '{\n  "profil": "strict"\n}\n' })
    const ended = await inProcess(['validate', '.agents/skills'], { cwd, env })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^error: The configuration is invalid\.\n/)
    expect(ended.stderr).toContain(`${join('.repertoire', 'config.json')}:2  CONFIGURATION_INVALID`)
    expect(ended.stderr).toContain('Did you mean "profile"?')
    expect((await run(['validate', '.agents/skills', '--profile', 'strict'])).code).toBe(0)
  })
})
