import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_LAYERS } from '../../../src/catalog/precedence.ts'
import { isSkillError } from '../../../src/errors.ts'
import type { ConfigurationProblem, SkillError } from '../../../src/errors.ts'
import { loadConfiguration } from '../../../src/node/configuration/load.ts'
import type { ConfigurationOptions } from '../../../src/node/configuration/load.ts'
import type { Configuration, ConfigurationSettings } from '../../../src/node/configuration/settings.ts'

const userVariable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'

let base: string
let home: string
let project: string
let userFile: string
let projectFile: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-configuration-'))
  home = join(base, 'home')
  project = join(base, 'project')
  userFile = join(home, '.config/repertoire/repertoire.config.json')
  projectFile = join(project, '.repertoire/config.json')
  mkdirSync(home)
  mkdirSync(project)
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
}

const environment = (more: Record<string, string> = {}): Record<string, string> => ({ [userVariable]: home, ...more })
const load = (options: ConfigurationOptions = {}): Promise<Configuration> =>
  loadConfiguration({ env: environment(), ...options })

/** What is wrong, as `place:line key`. */
async function problems(options?: ConfigurationOptions): Promise<readonly ConfigurationProblem[]> {
  try {
    await load(options)
  } catch (error) {
    if (!isSkillError(error)) throw error
    expect(error.code).toBe('CONFIGURATION_INVALID')
    for (const { key, message } of error.problems ?? []) {
      expect(error.message).toContain(key)
      expect(error.message).toContain(message)
    }
    return error.problems ?? []
  }
  throw new Error('It was accepted.')
}
/** The error as it is. */
async function refusal(): Promise<SkillError> {
  const error: unknown = await load().catch((thrown: unknown) => thrown)
  if (!isSkillError(error)) throw error
  return error
}
const places = async (options?: ConfigurationOptions): Promise<string[]> =>
  (await problems(options)).map(
    ({ key, at = 'code', line }) => `${at.replace(`${base}/`, '')}${line === undefined ? '' : `:${line}`} ${key}`,
  )

describe('[DISC-9] the configuration', () => {
  it('is complete without a file, a variable or an option, and says that all of it are defaults', async () => {
    const configuration = await load({ project })
    const { origins, ...values } = configuration
    expect(values).toEqual({
      enabled: true,
      profile: 'default',
      style: 'xml',
      layers: DEFAULT_LAYERS,
      collision: 'first',
      roots: {
        enterprise: [expect.stringMatching(/repertoire.skills$/)],
        personal: [join(home, '.agents/skills'), join(home, '.repertoire/skills')],
        project: [join(project, '.agents/skills'), join(project, '.repertoire/skills')],
        plugin: [],
        bundled: true,
      },
      writeRoot: join(home, '.repertoire/skills'),
      folders: ['.agents/skills', '.repertoire/skills'],
      packages: true,
      project,
      trustProject: true,
      followLinks: [],
      watch: false,
      files: [userFile, join(project, '.repertoire/config.json')],
      diagnostics: [],
    })
    expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(['default']))
    expect(Object.keys(origins)).toHaveLength(19)
  })

  it('is frozen all the way down, and freezes nothing of the caller’s', async () => {
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

  it('takes code before the environment, that before the user’s file, and that before the defaults, and says which', async () => {
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

  it('reads every setting from a file, from code and, but for the budget, from the environment', async () => {
    const settings: ConfigurationSettings = {
      enabled: false,
      profile: 'strict',
      style: 'section',
      listingBudget: { contextWindow: 1000, share: 0.5 },
      layers: ['project', 'personal'],
      collision: 'last',
      roots: { enterprise: ['/e'], personal: false, project: ['/j'], plugin: ['/p'], bundled: false },
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
    const { listingBudget: _, ...rest } = fromFile
    const { origins, ...fromVariables } = await load({
      file: false,
      overrides: { folders: ['.claude/skills'] },
      env: environment({
        REPERTOIRE_ENABLED: 'false',
        REPERTOIRE_PROFILE: 'strict',
        REPERTOIRE_STYLE: 'section',
        REPERTOIRE_LAYERS: 'project, personal',
        REPERTOIRE_COLLISION: 'last',
        REPERTOIRE_ENTERPRISE_SKILLS: '/e',
        REPERTOIRE_PERSONAL_SKILLS: '',
        REPERTOIRE_PROJECT_SKILLS: '/j',
        REPERTOIRE_PLUGIN_SKILLS: '/p',
        REPERTOIRE_BUNDLED_SKILLS: '0',
        REPERTOIRE_WRITE_ROOT: '/w',
        REPERTOIRE_PACKAGES: 'a,@b/c',
        REPERTOIRE_TRUST_PROJECT: 'FALSE',
        REPERTOIRE_FOLLOW_LINKS: 'plugin',
        REPERTOIRE_WATCH: '1',
        REPERTOIRE_CACHE_TTL: '5',
        REPERTOIRE_MIN_RELOAD_INTERVAL: '0',
      }),
    })
    expect({ ...fromVariables, files: fromFile.files }).toEqual(rest)
    expect(
      Object.entries(origins)
        .filter(([, { from }]) => from !== 'environment')
        .map(([key]) => key),
    ).toEqual(['folders', 'listingBudget'])
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

  it('of a user without a home folder has no personal folder and none to write to', async () => {
    const { roots, writeRoot } = await load({ env: {} })
    expect({ personal: roots.personal, writeRoot }).toEqual({ personal: [], writeRoot: false })
    expect(await places({ env: { REPERTOIRE_PERSONAL_SKILLS: '~/x' } })).toEqual([
      'REPERTOIRE_PERSONAL_SKILLS roots.personal',
    ])
  })

  it('takes nothing of the working folder for the user’s own where the home folder is not an absolute path', async () => {
    const entry = new URL('../../../src/node/index.ts', import.meta.url).href
    const script = `const { loadConfiguration } = await import(${JSON.stringify(entry)})
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

  it('writes to the first personal folder that was set, unless another is named', async () => {
    expect((await load({ overrides: { roots: { personal: ['/a', '/b'] } } })).writeRoot).toBe(resolve('/a'))
    expect((await load({ overrides: { roots: { personal: ['/a'] }, writeRoot: '~/w' } })).writeRoot).toBe(
      join(home, 'w'),
    )
    expect((await load({ overrides: { roots: { personal: false } } })).writeRoot).toBe(false)
    expect((await load({ overrides: { writeRoot: false } })).writeRoot).toBe(false)
  })
})

describe('[DISC-9] a configuration that is wrong', () => {
  it('is refused with everything that is wrong at once, each with its file, line and key', async () => {
    put(
      userFile,
      `{
  "enabled": "yes",
  "profile": "loose",
  "stile": "xml",
  "roots": {
    "personal": "skills",
    "enterprise": ["relative"],
    "team": []
  },
  "layers": ["personal", "personal"],
  "listingBudget": { "share": 2, "window": 5 },
  "cacheTtl": -1,
  "packages": [1]
}`,
    )
    const file = 'home/.config/repertoire/repertoire.config.json'
    const env = environment({ REPERTOIRE_WATCH: 'perhaps', REPERTOIRE_CACHE_TTL: 'soon' })
    const overrides = { collision: 'both', folder: [] } as unknown as ConfigurationSettings
    expect((await places({ env, overrides })).toSorted()).toEqual(
      [
        `${file}:2 enabled`,
        `${file}:3 profile`,
        `${file}:4 stile`,
        `${file}:6 roots.personal`,
        `${file}:8 roots.team`,
        `${file}:10 layers`,
        `${file}:11 listingBudget`,
        `${file}:11 listingBudget.window`,
        `${file}:12 cacheTtl`,
        `${file}:13 packages`,
        'REPERTOIRE_WATCH watch',
        'REPERTOIRE_CACHE_TTL cacheTtl',
        'code collision',
        'code folder',
      ].toSorted(),
    )
    const messages = new Map((await problems({ env, overrides })).map(({ key, message }) => [key, message]))
    expect(messages.get('enabled')).toBe('takes true or false, not "yes"')
    expect(messages.get('stile')).toContain('Did you mean "style"?')
    expect(messages.get('folder')).toContain('Did you mean "folders"?')
    expect(messages.get('layers')).toContain('each at most once')
  })

  it('is refused where it is not JSON, not an object, not text, too large, or not a file', async () => {
    const file = 'home/.config/repertoire/repertoire.config.json'
    for (const [content, line] of [
      ['{\n  "style" xml\n}', 2],
      ['{\n"style": "xml",\n}', 3],
      ['{', 1],
      ['', 1],
    ] as const) {
      put(userFile, content)
      expect(await places()).toEqual([`${file}:${line} `])
    }
    put(userFile, '{\n  "style": xml\n}')
    expect((await problems())[0]?.message).toContain('xml')
    for (const content of ['[]', 'null', '"x"', ' '.repeat(1024 * 1024 + 1)]) {
      put(userFile, content)
      expect(await places()).toEqual([`${file} `])
    }
    writeFileSync(userFile, Uint8Array.from([0x7b, 0xff, 0x7d]))
    expect(await places()).toEqual([`${file} `])
    rmSync(userFile)
    mkdirSync(userFile)
    expect(await places()).toEqual([`${file} `])
  })

  it('does not wait where the file is a pipe', async () => {
    mkdirSync(dirname(userFile), { recursive: true })
    execFileSync('mkfifo', [userFile])
    expect(await places()).toEqual(['home/.config/repertoire/repertoire.config.json '])
  })

  it('takes `__proto__` and `constructor` for what they are: no settings', async () => {
    put(userFile, '{ "__proto__": { "enabled": false }, "constructor": 1, "roots": { "__proto__": [] } }')
    const file = 'home/.config/repertoire/repertoire.config.json'
    expect((await places()).toSorted()).toEqual([
      `${file}:1 __proto__`,
      `${file}:1 constructor`,
      `${file}:1 roots.__proto__`,
    ])
  })

  it('is read to its end, however much of it is wrong, and however deep', async () => {
    const names = Array.from({ length: 60_000 }, (_, index) => `k${index}`)
    put(userFile, Object.fromEntries(names.map((name) => [name, 1])))
    const found = await refusal()
    expect(found.problems?.map(({ key, line }) => [key, line])).toEqual(names.map((name, index) => [name, index + 2]))
    expect(found.message.split('\n')).toHaveLength(52)
    expect(found.message).toMatch(/\nand 59950 more$/)

    const [open, close] = ['['.repeat(400_000), ']'.repeat(400_000)]
    put(userFile, `{"enabled":${open}${close}}`)
    expect(await places()).toEqual([expect.stringMatching(/enabled$/)])
  })

  it('[ABUSE-13] says what a file holds as text that does nothing to a terminal, on one line', async () => {
    put(userFile, '{"a\\u001b[31m\\nREPERTOIRE_WATCH: fine": 1, "profile": "\\u202e\\u0007"}')
    const { message } = await refusal()
    expect(message.split('\n')).toHaveLength(3)
    expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    put(userFile, '\u001b[31m')
    expect((await refusal()).message).not.toMatch(/\p{Cc}/u)
  })

  it('in code is told of by what it is, also where JSON knows no such value', async () => {
    const circular: Record<string, unknown> = {}
    circular['enabled'] = circular
    const wrong: readonly (readonly [object, string])[] = [
      [circular, 'not an object'],
      [{ cacheTtl: 10n }, 'not a bigint'],
      [{ cacheTtl: Number.NaN }, 'not NaN'],
    ]
    for (const [overrides, said] of wrong) {
      const [problem] = await problems({ overrides })
      expect(problem?.message).toContain(said)
    }
  })

  it('takes no enterprise folder that is relative, and no folder that leads out of the home folder', async () => {
    put(userFile, { roots: { enterprise: ['skills'] }, folders: ['../skills'] })
    const file = 'home/.config/repertoire/repertoire.config.json'
    expect((await places()).toSorted()).toEqual([`${file} folders`, `${file} roots.enterprise`])
    rmSync(userFile)
    expect(await places({ env: environment({ REPERTOIRE_ENTERPRISE_SKILLS: './skills' }) })).toEqual([
      'REPERTOIRE_ENTERPRISE_SKILLS roots.enterprise',
    ])
    expect(await places({ overrides: { roots: { enterprise: ['skills'] } } })).toEqual(['code roots.enterprise'])
    expect(await places({ env: environment({ REPERTOIRE_PLUGIN_SKILLS: 'skills' }) })).toEqual([
      'REPERTOIRE_PLUGIN_SKILLS roots.plugin',
    ])
  })

  it('gives a value or a typed error for whatever a file holds', async () => {
    const key = fc.constantFrom(
      'enabled',
      'profile',
      'layers',
      'roots',
      'packages',
      'writeRoot',
      'listingBudget',
      'x',
      '',
    )
    const content = fc.oneof(
      fc.string(),
      fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        put(userFile, text)
        await load().catch((error: unknown) => {
          if (!isSkillError(error) || error.code !== 'CONFIGURATION_INVALID') throw error
          expect(error.problems?.length).toBeGreaterThan(0)
        })
      }),
      { numRuns: 200 },
    )
  })
})

describe('[DISC-9] the file of a project', () => {
  it('may turn skills off, be stricter, choose the style, its own folders, and fewer packages', async () => {
    put(projectFile, {
      enabled: false,
      profile: 'strict',
      style: 'section',
      roots: { project: ['skills'] },
      packages: ['a'],
    })
    const { enabled, profile, style, roots, packages, origins } = await load({ project })
    expect({ enabled, profile, style, packages, project: roots.project }).toEqual({
      enabled: false,
      profile: 'strict',
      style: 'section',
      packages: ['a'],
      project: [join(project, 'skills')],
    })
    for (const key of ['enabled', 'profile', 'style', 'packages', 'roots.project'] as const) {
      expect(origins[key]).toEqual({ from: 'project', at: projectFile })
    }
  })

  it('lets in no more than the user does', async () => {
    put(userFile, { enabled: false, profile: 'default', packages: ['a', 'b'], roots: { project: false } })
    put(projectFile, { enabled: true, profile: 'lenient', packages: ['b', 'c'], roots: { project: ['skills'] } })
    const { enabled, profile, packages, roots, origins } = await load({ project })
    expect({ enabled, profile, packages, project: roots.project }).toEqual({
      enabled: false,
      profile: 'default',
      packages: ['b'],
      project: [],
    })
    expect(origins.enabled).toEqual({ from: 'user', at: userFile })
    put(userFile, { packages: false })
    expect((await load({ project })).packages).toBe(false)
    const [mine, shared] = [join(base, 'mine'), join(project, 'skills')]
    put(userFile, { roots: { project: [mine, shared] } })
    put(projectFile, { roots: { project: ['skills', 'more'] } })
    expect((await load({ project })).roots.project).toEqual([shared])
    put(userFile, { roots: { project: [mine] } })
    expect((await load({ project })).roots.project).toEqual([])
    put(userFile, { packages: ['a'] })
    put(projectFile, { packages: true })
    expect((await load({ project })).packages).toEqual(['a'])
  })

  it('goes behind the environment and code, which are the user’s', async () => {
    put(projectFile, { enabled: false, style: 'section' })
    const { enabled, style } = await load({
      project,
      env: environment({ REPERTOIRE_ENABLED: 'true' }),
      overrides: { style: 'tool' },
    })
    expect({ enabled, style }).toEqual({ enabled: true, style: 'tool' })
  })

  it('may set nothing that lets more in: each is an error that names it', async () => {
    const forbidden: ConfigurationSettings = {
      listingBudget: false,
      layers: ['project'],
      collision: 'last',
      roots: { enterprise: ['/x'], personal: ['/x'], plugin: ['/x'], bundled: ['/x'] },
      writeRoot: '/x',
      folders: ['.ssh'],
      trustProject: true,
      followLinks: ['project'],
      watch: true,
      cacheTtl: 1,
      minReloadInterval: 1,
    }
    put(projectFile, forbidden)
    const { roots, ...rest } = forbidden
    expect((await places({ project })).toSorted()).toEqual(
      [...Object.keys(rest), ...Object.keys(roots!).map((layer) => `roots.${layer}`)]
        .map((key) => `project/.repertoire/config.json ${key}`)
        .toSorted(),
    )
    for (const { message } of await problems({ project })) expect(message).toContain('is not a project')
    put(projectFile, { stateKey: 'x' })
    expect(await places({ project })).toEqual(['project/.repertoire/config.json:2 stateKey'])
  })

  it('[ABUSE-15] leads to no folder outside, and is read through no link', async () => {
    for (const path of ['../x', '/x', '~/../x', 'a/../../x', 'C:\\x']) {
      put(projectFile, { roots: { project: [path] } })
      if (path === '~/../x') continue
      expect(await places({ project })).toEqual(['project/.repertoire/config.json roots.project'])
    }
    put(join(base, 'outside/config.json'), { style: 'tool' })
    rmSync(dirname(projectFile), { recursive: true })
    symlinkSync(join(base, 'outside'), dirname(projectFile))
    expect(await places({ project })).toEqual(['project/.repertoire/config.json '])
    rmSync(dirname(projectFile))
    mkdirSync(dirname(projectFile))
    symlinkSync(join(base, 'outside/config.json'), projectFile)
    expect(await places({ project })).toEqual(['project/.repertoire/config.json '])
  })

  it('[DISC-11, ABUSE-22] is not read where the project is not trusted, and that is said', async () => {
    const untrusting = { project, overrides: { trustProject: false } }
    expect((await load(untrusting)).diagnostics).toEqual([])
    put(projectFile, '{ this is not even JSON')
    for (const options of [untrusting, { project, env: environment({ REPERTOIRE_TRUST_PROJECT: '0' }) }]) {
      const { diagnostics, style } = await load(options)
      expect(style).toBe('xml')
      expect(diagnostics).toMatchObject([{ code: 'WORKSPACE_UNTRUSTED', path: projectFile }])
    }
    put(userFile, { trustProject: false })
    expect((await load({ project })).diagnostics).toHaveLength(1)
    expect(await places({ project, overrides: { trustProject: true } })).toEqual(['project/.repertoire/config.json:1 '])
  })
})
