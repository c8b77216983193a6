import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LAYERS } from '../../../src/index.ts'
import { loadConfiguration, type ConfigurationOptions, type ConfigurationSettings } from '../../../src/node/index.ts'
import {
  base,
  environment,
  home,
  load,
  project,
  projectFile,
  put,
  refusal,
  userFile,
  userVariable,
  useTemporaryConfiguration,
} from './temporary-files.ts'
import { NODE } from '../../bundled-entries.ts'

useTemporaryConfiguration()

const SETTINGS: ConfigurationSettings = {
  enabled: false,
  profile: 'strict',
  admit: { tools: ['Read'], withoutAllowedTools: 'nothing', scripts: false, hooks: false },
  layers: ['project', 'personal'],
  roots: { enterprise: ['/e'], personal: false, project: ['/j'], plugin: ['/p'], bundled: false },
  skillsDir: '/s',
  folders: ['.claude/skills'],
  packages: ['a', '@b/c'],
  trustProject: false,
  followLinks: ['plugin'],
}

describe('[DISC-9] the configuration', () => {
  it('is complete without a file, a variable or an option', async () => {
    expect(await load({ project })).toEqual({
      enabled: true,
      profile: 'default',
      layers: DEFAULT_LAYERS,
      roots: {
        enterprise: [expect.stringMatching(/repertoire.skills$/)],
        personal: [join(home, '.agents/skills'), join(home, '.repertoire/skills'), join(home, '.claude/skills')],
        project: [
          join(project, '.agents/skills'),
          join(project, '.repertoire/skills'),
          join(project, '.claude/skills'),
        ],
        plugin: [],
        bundled: false,
      },
      writeRoot: join(home, '.repertoire/skills'),
      folders: ['.agents/skills', '.repertoire/skills', '.claude/skills'],
      packages: true,
      home,
      project,
      trustProject: true,
      followLinks: [],
      files: [userFile, join(project, '.repertoire/config.json')],
      given: {},
      diagnostics: [],
    })
  })

  it('has every setting from a file as from code', async () => {
    put(userFile, SETTINGS)
    const { file, files, ...fromFile } = await load()
    expect([file, files]).toEqual([userFile, [userFile]])
    const { files: none, ...fromCode } = await load({ file: false, overrides: SETTINGS })
    expect(none).toEqual([])
    expect(fromCode).toEqual(fromFile)
    expect(fromFile).toMatchObject({ ...SETTINGS, roots: { personal: ['/s'] }, writeRoot: '/s' })
  })

  it('ranks code before two variables, these before the file, and that before the defaults', async () => {
    put(userFile, {
      enabled: false,
      profile: 'lenient',
      packages: false,
      skillsDir: 'skills',
      roots: { plugin: ['~/p'] },
    })
    const inFolder = join(dirname(userFile), 'skills')
    expect(await load()).toMatchObject({ enabled: false, skillsDir: inFolder, roots: { plugin: [join(home, 'p')] } })
    const env = environment({ REPERTOIRE_ENABLED: '1', REPERTOIRE_SKILLS_DIR: '~/s', REPERTOIRE_PROFILE: 'strict' })
    expect(await load({ env })).toMatchObject({ enabled: true, skillsDir: join(home, 's'), profile: 'lenient' })
    const overrides = {
      enabled: false,
      profile: 'strict',
      skillsDir: undefined,
      roots: { personal: ['/mine'] },
    } as const
    expect(await load({ env, overrides })).toMatchObject({
      enabled: false,
      profile: 'strict',
      packages: false,
      trustProject: true,
      roots: { personal: [join(home, 's'), '/mine'], plugin: [join(home, 'p')] },
    })
  })

  it("finds the user's file in XDG_CONFIG_HOME or in ~/.config, and through links, or reads the one that is named", async () => {
    const found = async (options?: ConfigurationOptions): Promise<string | undefined> => (await load(options)).file
    expect(await found()).toBeUndefined()
    put(join(base, 'dotfiles/config.json'), { profile: 'lenient' })
    mkdirSync(dirname(userFile), { recursive: true })
    symlinkSync(join(base, 'dotfiles/config.json'), userFile)
    expect(await found()).toBe(userFile)
    const xdg = join(base, 'xdg')
    put(join(xdg, 'repertoire/repertoire.config.json'), { profile: 'lenient' })
    expect(await found({ env: environment({ XDG_CONFIG_HOME: xdg }) })).toMatch(/^.+xdg.repertoire.+json$/)
    expect(await found({ env: environment({ XDG_CONFIG_HOME: 'relative' }) })).toBe(userFile)
    put(join(base, 'named.json'), { profile: 'lenient' })
    expect(await found({ file: join(base, 'named.json') })).toBe(join(base, 'named.json'))
    expect(await found({ file: false })).toBeUndefined()
  })

  it('[DISC-11, ABUSE-22] reads the file of a project only where code trusts it, and says that it did not', async () => {
    put(userFile, { profile: 'lenient', packages: false })
    put(projectFile, { profile: 'strict', roots: { plugin: ['more'] } })
    for (const overrides of [{}, { trustProject: false }]) {
      const { file, profile, diagnostics } = await load({ project, overrides })
      expect([file, profile]).toEqual([userFile, 'lenient'])
      expect(diagnostics).toMatchObject([{ code: 'WORKSPACE_UNTRUSTED', path: projectFile }])
    }
    // One file counts: nothing of two is mixed.
    expect(await load({ project, overrides: { trustProject: true } })).toMatchObject({
      file: projectFile,
      profile: 'strict',
      packages: true,
      roots: { plugin: [join(project, '.repertoire/more')] },
      diagnostics: [],
    })
    put(userFile, { trustProject: true })
    expect((await load({ project })).file).toBe(userFile)
  })

  it("[LIB-15] takes a scanner from the user's own file, and refuses one of a project", async () => {
    put(userFile, { scan: ['./bin/scan', '{path}'] })
    put(projectFile, { scan: ['planted', '{path}'] })
    expect((await load({ project })).scan).toEqual([join(dirname(userFile), 'bin/scan'), '{path}'])
    put(userFile, { scan: ['scan', '--folder={path}'] })
    expect((await load()).scan).toEqual(['scan', '--folder={path}'])
    expect(await refusal({ project, overrides: { trustProject: true } })).toContain('which only your own file may')
    put(userFile, { scan: ['scan'] })
    expect(await refusal()).toContain('one of them with {path}')
  })

  it('has no personal folder, and none to write to, for a user without a home folder', async () => {
    const { roots, writeRoot } = await load({ env: {} })
    expect({ personal: roots.personal, writeRoot }).toEqual({ personal: [], writeRoot: false })
    expect(await refusal({ env: { REPERTOIRE_SKILLS_DIR: '~/x' } })).toContain('this user has no home folder')
  })

  it('reads nothing from the working folder if the home folder is not an absolute path', async () => {
    const script = `const { loadConfiguration } = await import(${JSON.stringify(NODE)})
      const { roots, writeRoot, packages } = await loadConfiguration()
      console.log(JSON.stringify([roots.personal, writeRoot, packages]))`
    put(join(base, '.config/repertoire/repertoire.config.json'), { packages: false })
    for (const own of ['', '.', 'home/..']) {
      expect((await load({ env: { [userVariable]: own } })).roots.personal).toEqual([])
      const env = { ...process.env, [userVariable]: own, XDG_CONFIG_HOME: '', APPDATA: '' }
      const ran = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: base, env })
      expect(JSON.parse(String(ran))).toEqual([[], false, true])
    }
  })

  it('has the first personal folder as the one to write to', async () => {
    expect((await load({ overrides: { roots: { personal: ['/a', '/b'] } } })).writeRoot).toBe(resolve('/a'))
    expect((await load({ overrides: { roots: { personal: false } } })).writeRoot).toBe(false)
  })
})

describe('[DISC-9, CFG-1] a wrong configuration', () => {
  it.each([
    ['is not JSON', '{ "profile": ', 'is not JSON: '],
    ['is no object', [], 'Give an object'],
    ['has an unknown setting', { porfile: 'strict' }, 'unknown option `porfile`. Did you mean `profile`?'],
    ['has an unknown setting inside', { roots: { persnal: [] } }, 'Did you mean `roots.personal`?'],
    ['has an unknown choice', { profile: 'json' }, '`profile` is "json". Give "strict", '],
    ['has a wrong type', { roots: { plugin: '/p' } }, '`roots.plugin` is "/p". Give '],
    ['has an unknown setting, of openRepertoire', { watch: true }, 'unknown option `watch`'],
    ['names a layer twice', { layers: ['project', 'project'] }, '`layers` names "project" twice.'],
    ['leaves the home folder', { folders: ['../x'] }, '`folders` takes paths inside'],
  ])('%s, and the message names the file and what to give', async (_, content, part) => {
    put(userFile, content)
    const message = await refusal()
    expect(message).toContain(userFile)
    expect(message).toContain(part)
  })

  it('is a file that was named and does not exist, is a folder, or is too large', async () => {
    const named = join(base, 'none.json')
    expect(await refusal({ file: named })).toContain(`${named} does not exist`)
    mkdirSync(named)
    expect(await refusal({ file: named })).toContain(`${named} cannot be read`)
    put(userFile, `"${'x'.repeat(2 ** 21)}"`)
    expect(await refusal()).toContain(`${userFile} is larger than`)
  })

  it('is a variable or an override of the wrong type', async () => {
    expect(await refusal({ env: environment({ REPERTOIRE_ENABLED: 'maybe' }) })).toContain(
      'the environment: `enabled` is "maybe". Give true or false.',
    )
    const overrides = { enabled: 'yes' } as unknown as ConfigurationSettings
    await expect(loadConfiguration({ overrides })).rejects.toThrow('`overrides.enabled` is "yes". Give true or false.')
  })
})
