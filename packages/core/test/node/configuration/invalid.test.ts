import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { isSkillError } from '../../../src/index.ts'
import type { ConfigurationSettings } from '../../../src/node/index.ts'
import {
  environment,
  load,
  places,
  problems,
  put,
  refusal,
  userFile,
  useTemporaryConfiguration,
} from './temporary-files.ts'

useTemporaryConfiguration()

const published = new URL('../../../schema/configuration.schema.json', import.meta.url)
const schema = JSON.parse(readFileSync(published, 'utf8')) as { readonly properties: object }

const tool = (value: object): object => ({ toolMap: { run: { as: 'Bash', ...value } } })

describe('[DISC-9] a configuration that is wrong', () => {
  it('[GATE-9] has the same messages for a table of tools as code would get', async () => {
    const messages = async (settings: unknown): Promise<readonly string[]> => {
      put(userFile, JSON.stringify(settings))
      return (await problems()).map(({ key, message }) => `${key} ${message}`)
    }
    expect(await messages({ toolMap: { a: 'Read', b: 'Read' } })).toEqual([
      expect.stringContaining('toolMap is refused: `toolMap` says of both "a" and "b" that they stand for "Read".'),
    ])
    expect(await messages({ toolRoot: 'docs' })).toEqual([
      expect.stringContaining('toolRoot is refused: `toolRoot` needs'),
    ])
    expect(await messages({ toolMap: ['Read'] })).toEqual([
      expect.stringContaining("toolMap takes the host's tools by name"),
    ])
    expect(await messages({ toolMap: { a: { as: 'Read', argumnt: 'x' } } })).toEqual([
      expect.stringContaining('toolMap.a.argumnt is not a setting'),
    ])
  })

  it('is refused with all problems at once, each with its file, line and key', async () => {
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
  "listingBudget": { "share": 2, "windo": 5 },
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
        `${file}:11 listingBudget.windo`,
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

  it('[CFG-1] has the nearest setting for each misspelled one, and what each expects', async () => {
    const names = Object.keys(schema.properties).filter((name) => name !== '$schema')
    const misspelled = names.map((name) => `${name.slice(0, -2)}${name.at(-1)}x`)
    put(userFile, Object.fromEntries(misspelled.map((name) => [name, true])))
    const unknown = new Map((await problems()).map(({ key, message }) => [key, message]))
    for (const [index, name] of misspelled.entries()) {
      expect(unknown.get(name)).toBe(`is not a setting. Did you mean "${names[index]}"?`)
    }
    for (const value of [-0.5, 'nothing of this', null]) {
      put(userFile, Object.fromEntries(names.map((name) => [name, value])))
      const wrong = await problems()
      expect(wrong.length).toBeGreaterThan(15)
      expect(wrong.filter(({ message }) => message.includes('an object of settings'))).toEqual([])
    }
    put(userFile, { admit: { scripts: 'no' }, programs: 'knwon', layers: ['user'] })
    expect((await problems()).map(({ key, message }) => `${key} ${message}`).toSorted()).toEqual([
      'admit takes { tools, withoutAllowedTools, scripts, hooks }, and "admit.scripts" is "no"',
      'layers takes a list of enterprise, personal, project, plugin, bundled, each at most once, and "layers.0" is "user"',
      'programs takes any or known, not "knwon"',
    ])
  })

  it.each([
    ['roots', ['enterprise', 'personal', 'project', 'plugin', 'bundled'], (value: object) => ({ roots: value })],
    ['listingBudget', ['window', 'share', 'keep'], (value: object) => ({ listingBudget: value })],
    ['admit', ['tools', 'withoutAllowedTools', 'scripts', 'hooks'], (value: object) => ({ admit: value })],
    ['toolMap.run', ['shared', 'argument', 'kind', 'reads', 'shell', 'harmless', 'program', 'root'], tool],
    [
      'toolMap.run.program',
      ['name', 'args'],
      (program: object) => tool({ program: { name: 'p', args: 'a', ...program } }),
    ],
  ] as const)('[CFG-1] names the nearest setting inside %s', async (path, names, at) => {
    for (const name of names) {
      const misspelled = `${name.slice(0, -1)}_${name.at(-1)}`
      put(userFile, at({ [misspelled]: true }))
      const message = `is not a setting. Did you mean "${name}"?`
      expect(await problems()).toEqual([expect.objectContaining({ key: `${path}.${misspelled}`, message })])
    }
  })

  it('[CFG-1, ABUSE-133] refuses a misspelled variable of the environment, and leaves those of a host', async () => {
    for (const [variable, meant] of [
      ['REPERTOIRE_TRUST_PROJCT', 'REPERTOIRE_TRUST_PROJECT'],
      ['REPERTOIRE_ENABLD', 'REPERTOIRE_ENABLED'],
      ['REPERTOIRE_PROGRAM', 'REPERTOIRE_PROGRAMS'],
      ['REPERTOIRE_CONIFG', 'REPERTOIRE_CONFIG'],
      ['REPERTOIRE_PROJECT_SKILL', 'REPERTOIRE_PROJECT_SKILLS'],
    ] as const) {
      expect(await problems({ env: environment({ [variable]: 'false' }) })).toEqual([
        { key: variable, at: variable, message: `is not a variable of the configuration. Did you mean "${meant}"?` },
      ])
    }
    const own = environment({ REPERTOIRE_SECRET: '1', REPERTOIRE_TEST: '1', REPERTOIRE_API_KEY: '1', REPERTOIRE: '1' })
    expect((await load({ env: own })).origins.enabled).toEqual({ from: 'default' })
  })

  it('is refused if it is not JSON, not an object, not text, too large, or not a file', async () => {
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

  it('is not waited for if its file is a pipe', async () => {
    mkdirSync(dirname(userFile), { recursive: true })
    execFileSync('mkfifo', [userFile])
    expect(await places()).toEqual(['home/.config/repertoire/repertoire.config.json '])
  })

  it('cannot have `__proto__` or `constructor` as settings', async () => {
    put(userFile, '{ "__proto__": { "enabled": false }, "constructor": 1, "roots": { "__proto__": [] } }')
    const file = 'home/.config/repertoire/repertoire.config.json'
    expect((await places()).toSorted()).toEqual([`${file} __proto__`, `${file} constructor`, `${file} roots.__proto__`])
  })

  it('is read to its end, however many problems it has, and however deep', async () => {
    const names = Array.from({ length: 900 }, (_, index) => `k${index}`)
    put(userFile, Object.fromEntries(names.map((name) => [name, 1])))
    const found = await refusal()
    expect(found.problems?.map(({ key, line }) => [key, line])).toEqual(names.map((name, index) => [name, index + 2]))
    expect(found.message.split('\n')).toHaveLength(52)
    expect(found.message).toMatch(/\nand 850 more$/)

    const [open, close] = ['['.repeat(20_000), ']'.repeat(20_000)]
    put(userFile, `{"enabled":${open}${close}}`)
    expect(await places()).toEqual([expect.stringMatching(/enabled$/)])
  })

  it('[ABUSE-13] is quoted on one line, without control characters', async () => {
    put(userFile, '{"a\\u001b[31m\\nREPERTOIRE_WATCH: fine": 1, "profile": "\\u202e\\u0007"}')
    const { message } = await refusal()
    expect(message.split('\n')).toHaveLength(3)
    expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    put(userFile, '\u001b[31m')
    expect((await refusal()).message).not.toMatch(/\p{Cc}/u)
  })

  it('in code is reported by its value, also if JSON has no such value', async () => {
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

  it('[DISC-14] has problems of `admit` with their place', async () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      ['read-only', 'takes { tools, withoutAllowedTools, scripts, hooks }, not "read-only"'],
      [{ tools: ['Bash(git:*'] }, 'holds "Bash(git:*", which is not closed. Add ")"'],
      [{ tools: ['Read'], withoutAllowedTools: 'everything' }, 'a skill would get more by naming nothing'],
    ]
    for (const [admit, said] of wrong) {
      put(userFile, { admit })
      const [problem, ...others] = await problems()
      expect(others).toEqual([])
      expect(problem).toMatchObject({ key: 'admit', at: userFile, line: 2, message: expect.stringContaining(said) })
    }
    put(userFile, { admit: { tool: ['Read'] } })
    expect((await problems()).map(({ key }) => key)).toEqual(['admit.tool'])
  })

  it('cannot have a relative enterprise folder, or a folder that leads out of the home folder', async () => {
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

  it('results in a value or a typed error, whatever the file holds', async () => {
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
      { numRuns: runs(200) },
    )
  })
})

describe('[CFG-1, ABUSE-133] a configuration file', () => {
  it.each([
    [{ stlye: 'xml' }, 'stlye', 'style'],
    [{ cacheTTL: 5 }, 'cacheTTL', 'cacheTtl'],
    [{ admit: { tool: ['Read'] } }, 'admit.tool', 'tools'],
    [{ admit: { scirpts: false } }, 'admit.scirpts', 'scripts'],
    [{ listingBudget: { shar: 0.1 } }, 'listingBudget.shar', 'share'],
    [{ roots: { persnal: [] } }, 'roots.persnal', 'personal'],
    [{ toolMap: { run: { as: 'Bash', argumnt: 'cmd' } } }, 'toolMap.run.argumnt', 'argument'],
    [{ toolMap: { run: { program: { name: 'p', args: 'a', arg: 'a' } } } }, 'toolMap.run.program.arg', 'args'],
  ])('refuses the unknown name in %j, with the file, its line and the nearest name', async (settings, key, nearest) => {
    put(userFile, settings)
    const found = (await problems()).find((problem) => problem.key === key)
    expect(found?.at).toBe(userFile)
    expect(found?.line).toBeGreaterThan(1)
    expect(found?.message).toMatch(new RegExp(`Did you mean "([\\w.]+\\.)?${nearest}"`))
  })

  it.each([
    { polcy: { deny: ['Bash'] } },
    { cacheTtl: '5' },
    { watch: 'yes' },
    { roots: { personal: [1] } },
    { admit: { tools: 'Read' } },
    { listingBudget: { share: '0.1' } },
    { toolMap: { run: { as: 'Bash', argument: 5 } } },
    { toolMap: { run: { as: 'Bash', argument: 'a', kind: 'file' } } },
  ])('refuses %j', async (settings) => {
    put(userFile, settings)
    const [found] = await problems()
    expect(found?.key.split('.')[0]).toBe(Object.keys(settings)[0])
    expect(found?.at).toBe(userFile)
  })
})
