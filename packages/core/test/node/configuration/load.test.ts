import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LAYERS } from '../../../src/index.ts'
import type { ConfigurationOptions, ConfigurationSettings } from '../../../src/node/index.ts'
import {
  base,
  environment,
  home,
  load,
  places,
  project,
  put,
  userFile,
  userVariable,
  useTemporaryConfiguration,
} from './temporary-files.ts'
import { NODE } from '../../bundled-entries.ts'

useTemporaryConfiguration()

describe('[DISC-9] the configuration', () => {
  it('is complete without a file, a variable or an option, and marks everything as a default', async () => {
    const configuration = await load({ project })
    const { origins, ...values } = configuration
    expect(values).toEqual({
      enabled: true,
      profile: 'default',
      style: 'xml',
      layers: DEFAULT_LAYERS,
      collision: 'first',
      programs: 'any',
      ask: [],
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
      toolMap: {},
      writeRoot: join(home, '.repertoire/skills'),
      folders: ['.agents/skills', '.repertoire/skills', '.claude/skills'],
      packages: true,
      home,
      project,
      trustProject: true,
      followLinks: [],
      watch: false,
      files: [userFile, join(project, '.repertoire/config.json')],
      diagnostics: [],
    })
    expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(['default']))
    expect(Object.keys(origins)).toHaveLength(27)
  })

  it('is deeply frozen, and freezes no object of the caller', async () => {
    const overrides = { followLinks: ['personal'], roots: { plugin: ['/p'] }, listingBudget: { share: 0.1 } } as const
    const configuration = await load({ overrides })
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      expect(Object.isFrozen(value)).toBe(true)
      for (const inner of Object.values(value)) walk(inner)
    }
    walk(configuration)
    for (const value of [overrides, overrides.followLinks, overrides.roots, overrides.listingBudget])
      expect(Object.isFrozen(value)).toBe(false)
  })

  it('ranks code before the environment, the user’s file and the defaults, and names the origin', async () => {
    put(userFile, {
      style: 'section',
      collision: 'last',
      watch: true,
      roots: { personal: ['skills', '~/mine'], plugin: ['/p'] },
    })
    const env = environment({
      REPERTOIRE_STYLE: 'tool',
      REPERTOIRE_COLLISION: 'first',
      REPERTOIRE_PLUGIN_SKILLS: `/a${delimiter}~/b`,
    })
    const { style, collision, watch, profile, roots, origins } = await load({ env, overrides: { style: 'xml' } })
    expect({ style, collision, watch, profile }).toEqual({
      style: 'xml',
      collision: 'first',
      watch: true,
      profile: 'default',
    })
    expect(roots.personal).toEqual([join(dirname(userFile), 'skills'), join(home, 'mine')])
    expect(roots.plugin).toEqual([resolve('/a'), join(home, 'b')])
    expect(origins).toMatchObject({
      style: { from: 'code' },
      collision: { from: 'environment', at: 'REPERTOIRE_COLLISION' },
      watch: { from: 'user', at: userFile },
      profile: { from: 'default' },
      'roots.personal': { from: 'user', at: userFile },
      'roots.plugin': { from: 'environment', at: 'REPERTOIRE_PLUGIN_SKILLS' },
    })
  })

  it('reads every setting from a file and from code, and all but budget, tools, `admit` and `policy` from the environment', async () => {
    const settings: ConfigurationSettings = {
      enabled: false,
      profile: 'strict',
      style: 'section',
      listingBudget: { window: 1000, share: 0.5 },
      contextWindow: 32_000,
      search: 'always',
      admit: { tools: ['Read'], withoutAllowedTools: 'nothing', scripts: false, hooks: false },
      layers: ['project', 'personal'],
      collision: 'last',
      programs: 'known',
      ask: ['Bash(git push:*)'],
      roots: { enterprise: ['/e'], personal: false, project: ['/j'], plugin: ['/p'], bundled: false },
      toolMap: { runCommand: { as: 'Bash', argument: 'cmd' }, readDoc: 'Read', exec: false },
      toolRoot: '/',
      skillsDir: '/s',
      writeRoot: '/w',
      folders: ['.claude/skills'],
      packages: ['a', '@b/c'],
      trustProject: false,
      followLinks: ['plugin'],
      watch: true,
      cacheTtl: 5,
      minReloadInterval: 0,
    }
    const { origins: inFile, ...fromFile } = (put(userFile, { $schema: './schema.json', ...settings }), await load())
    const { origins: inCode, ...fromCode } = await load({ file: false, overrides: settings })
    expect(fromFile.files).toEqual([userFile])
    expect({ ...fromCode, files: fromFile.files }).toEqual(fromFile)
    expect(new Set(Object.values(inFile).map(({ from }) => from))).toEqual(new Set(['user']))
    expect(new Set(Object.values(inCode).map(({ from }) => from))).toEqual(new Set(['code']))
    const { listingBudget: _, admit: __, toolRoot: ___, ...rest } = { ...fromFile, toolMap: {} }
    const { origins, ...fromVariables } = await load({
      file: false,
      overrides: { folders: ['.claude/skills'] },
      env: environment({
        REPERTOIRE_ENABLED: 'false',
        REPERTOIRE_PROFILE: 'strict',
        REPERTOIRE_STYLE: 'section',
        REPERTOIRE_CONTEXT_WINDOW: '32000',
        REPERTOIRE_SEARCH: 'always',
        REPERTOIRE_LAYERS: 'project, personal',
        REPERTOIRE_COLLISION: 'last',
        REPERTOIRE_PROGRAMS: 'known',
        REPERTOIRE_ENTERPRISE_SKILLS: '/e',
        REPERTOIRE_PERSONAL_SKILLS: '',
        REPERTOIRE_PROJECT_SKILLS: '/j',
        REPERTOIRE_PLUGIN_SKILLS: '/p',
        REPERTOIRE_BUNDLED_SKILLS: '0',
        REPERTOIRE_SKILLS_DIR: '/s',
        REPERTOIRE_WRITE_ROOT: '/w',
        REPERTOIRE_PACKAGES: 'a,@b/c',
        REPERTOIRE_TRUST_PROJECT: 'FALSE',
        REPERTOIRE_FOLLOW_LINKS: 'plugin',
        REPERTOIRE_WATCH: '1',
        REPERTOIRE_CACHE_TTL: '5',
        REPERTOIRE_MIN_RELOAD_INTERVAL: '0',
      }),
    })
    expect({ ...fromVariables, files: fromFile.files }).toEqual({ ...rest, ask: [] })
    expect(
      Object.entries(origins)
        .filter(([, { from }]) => from !== 'environment')
        .map(([key]) => key),
    ).toEqual(['folders', 'listingBudget', 'admit', 'ask', 'toolMap', 'toolRoot'])
  })

  it('finds the user’s file by REPERTOIRE_CONFIG, or in XDG_CONFIG_HOME, or in ~/.config, and through links', async () => {
    const style = async (options?: ConfigurationOptions): Promise<string | undefined> =>
      (await load(options)).origins.style.at
    put(join(base, 'dotfiles/config.json'), { style: 'tool' })
    mkdirSync(dirname(userFile), { recursive: true })
    symlinkSync(join(base, 'dotfiles/config.json'), userFile)
    expect(await style()).toBe(userFile)
    const xdg = join(base, 'xdg')
    put(join(xdg, 'repertoire/repertoire.config.json'), { style: 'tool' })
    expect(await style({ env: environment({ XDG_CONFIG_HOME: xdg }) })).toBe(
      join(xdg, 'repertoire/repertoire.config.json'),
    )
    expect(await style({ env: environment({ XDG_CONFIG_HOME: 'relative' }) })).toBe(userFile)
    put(join(base, 'named.json'), { style: 'tool' })
    const named = { env: environment({ REPERTOIRE_CONFIG: join(base, 'named.json') }) }
    expect(await style(named)).toBe(join(base, 'named.json'))
    expect(await style({ ...named, file: userFile })).toBe(userFile)
    expect(await style({ ...named, file: false })).toBe(undefined)
    expect(await places({ file: join(base, 'none.json') })).toEqual(['none.json '])
    expect(await places({ env: environment({ REPERTOIRE_CONFIG: join(base, 'none.json') }) })).toEqual(['none.json '])
  })

  it('has no personal folder, and none to write to, for a user without a home folder', async () => {
    const { roots, writeRoot } = await load({ env: {} })
    expect({ personal: roots.personal, writeRoot }).toEqual({ personal: [], writeRoot: false })
    expect(await places({ env: { REPERTOIRE_PERSONAL_SKILLS: '~/x' } })).toEqual([
      'REPERTOIRE_PERSONAL_SKILLS roots.personal',
    ])
  })

  it('reads nothing from the working folder if the home folder is not an absolute path', async () => {
    const script = `const { loadConfiguration } = await import(${JSON.stringify(NODE)})
      const { roots, writeRoot, watch } = await loadConfiguration()
      console.log(JSON.stringify([roots.personal, writeRoot, watch]))`
    put(join(base, '.config/repertoire/repertoire.config.json'), { watch: true })
    for (const own of ['', '.', 'home/..']) {
      expect((await load({ env: { [userVariable]: own } })).roots.personal).toEqual([])
      const env = { ...process.env, [userVariable]: own, XDG_CONFIG_HOME: '', APPDATA: '' }
      const ran = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: base, env })
      expect(JSON.parse(String(ran))).toEqual([[], false, false])
    }
  })

  it('has the first personal folder as the one to write to, unless another is named', async () => {
    expect((await load({ overrides: { roots: { personal: ['/a', '/b'] } } })).writeRoot).toBe(resolve('/a'))
    expect((await load({ overrides: { roots: { personal: ['/a'] }, writeRoot: '~/w' } })).writeRoot).toBe(
      join(home, 'w'),
    )
    expect((await load({ overrides: { roots: { personal: false } } })).writeRoot).toBe(false)
    expect((await load({ overrides: { writeRoot: false } })).writeRoot).toBe(false)
  })
})
