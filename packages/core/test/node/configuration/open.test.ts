import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type Repertoire, memorySource } from '../../../src/index.ts'
import {
  type ConfigurationSettings,
  configuredSources,
  ensureDefaults,
  loadConfiguration,
  openConfigured,
} from '../../../src/node/index.ts'

let base: string
let project: string
let env: Record<string, string>

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-configured-'))
  project = join(base, 'project')
  env = {
    [process.platform === 'win32' ? 'USERPROFILE' : 'HOME']: join(base, 'home'),
  }
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function put(path: string, content: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), content)
}

const manifest = (name: string, more = ''): string => `---\nname: ${name}\ndescription: d\n${more}---\n`
const listed = ({ catalog }: Repertoire): string[] => catalog.list().map(({ layer, name }) => `${layer} ${name}`)
const none: ConfigurationSettings = { roots: { bundled: false } }

describe('openConfigured', () => {
  it('[FRONT-5] reports missing folders and projects that were named, but not the folder that it creates', async () => {
    const [first, second, made] = ['first', 'second', 'made'].map((name) => join(base, name))
    const missing = async (overrides: ConfigurationSettings, named = base) => {
      const opened = await openConfigured({ env, project: named, overrides })
      return opened.catalog.diagnostics.map(({ code, path }) => `${code} ${path}`)
    }
    const personal = { roots: { personal: [first!, second!] } }
    expect(await missing(personal)).toEqual([`ROOT_MISSING ${first}`, `ROOT_MISSING ${second}`])
    expect(await missing({ skillsDir: made! })).toEqual([])
    expect(await missing({}, first)).toEqual([`ROOT_MISSING ${first}`])
    expect(await missing({ trustProject: false }, first)).toEqual([`ROOT_MISSING ${first}`])
  })

  it("[ABUSE-97] keeps calls from the files that it is read from, beside what the host's policy protects", async () => {
    put('home/.config/repertoire/repertoire.config.json', '{}')
    const opened = await openConfigured({ project, env, overrides: none }, { policy: { protect: ['secrets.db'] } })
    const session = openAdapterSession(opened, { cwd: project })
    await session.step({ tools: ['Write', 'Bash'] })
    const outcome = async (tool: string, input: unknown) =>
      (await session.call({ id: 'c', tool, input }, () => undefined)).ok
    expect(await outcome('Write', { file_path: '.repertoire/config.json' })).toBe(false)
    expect(await outcome('Bash', { command: `echo '{}' > ${project}/.repertoire/config.json` })).toBe(false)
    expect(await outcome('Write', { file_path: join(base, 'home/.config/repertoire/repertoire.config.json') })).toBe(
      false,
    )
    expect(await outcome('Write', { file_path: 'secrets.db' })).toBe(false)
    expect(await outcome('Write', { file_path: 'src/config.json' })).toBe(true)
    expect(await outcome('Bash', { command: 'cat src/config.json' })).toBe(false)
    expect(await outcome('Bash', { command: 'cat .repertoire/skills/a/x.md' })).toBe(true)
  })
})

describe('[DISC-9] openConfigured', () => {
  it('[DISC-14] admits skills by the configuration', async () => {
    put('home/.config/repertoire/repertoire.config.json', '{ "admit": { "tools": ["Read"], "hooks": false } }')
    put('project/.agents/skills/reader/SKILL.md', manifest('reader', 'allowed-tools: Read\n'))
    put('project/.agents/skills/writer/SKILL.md', manifest('writer', 'allowed-tools: Write\n'))
    const opened = await openConfigured({ project, env, overrides: none })
    expect(listed(opened)).toEqual(['project reader'])
    expect(opened.explain('writer').verdict).toBe('refused')
  })

  it('[DISC-14] recognises scripts of a folder by their run bit too', async () => {
    for (const name of ['plain', 'bit', 'linked']) put(`project/.agents/skills/${name}/SKILL.md`, manifest(name))
    put('project/.agents/skills/plain/references/a.md', '')
    put('project/.agents/skills/bit/references/a.md', '')
    chmodSync(join(base, 'project/.agents/skills/bit/references/a.md'), 0o755)
    symlinkSync('/bin/sh', join(base, 'project/.agents/skills/linked/a.md'))
    const opened = await openConfigured({ project, env, overrides: { ...none, admit: { scripts: false } } })
    expect(listed(opened)).toEqual(process.platform === 'win32' ? ['project bit', 'project plain'] : ['project plain'])
    expect(opened.explain('linked').text).toContain('a.md, which is not read')
  })

  it('opens what a configuration says: its roots, its packages, its order of layers', async () => {
    put('e/same/SKILL.md', manifest('same'))
    put('p/same/SKILL.md', manifest('same'))
    put('j/same/SKILL.md', manifest('same'))
    put('j/own/SKILL.md', manifest('own'))
    put('g/plugged/SKILL.md', manifest('plugged'))
    put('b/base/SKILL.md', manifest('base'))
    put('project/package.json', '{ "dependencies": { "tool": "*" } }')
    put('project/node_modules/tool/package.json', '{ "version": "1.0.0" }')
    put('project/node_modules/tool/skills/tooled/SKILL.md', manifest('tooled'))
    const roots = {
      enterprise: [join(base, 'e')],
      personal: [join(base, 'p')],
      project: [join(base, 'j')],
      plugin: [join(base, 'g')],
      bundled: [join(base, 'b')],
    }
    const all = ['bundled base', 'project own', 'plugin plugged', 'enterprise same', 'plugin tooled']
    expect(listed(await openConfigured({ project, env, overrides: { roots } }))).toEqual(all)
    const layers = ['project', 'enterprise', 'personal', 'plugin', 'bundled'] as const
    const projectFirst = await openConfigured({ project, env, overrides: { roots, layers, packages: false } })
    expect(listed(projectFirst)).toEqual(['bundled base', 'project own', 'plugin plugged', 'project same'])
  })

  it('reads from and writes to the roots that were set', async () => {
    const mine = join(base, 'my/skills')
    const configuration = await loadConfiguration({ env, overrides: { roots: { personal: [mine], bundled: false } } })
    expect(listed(await openConfigured(configuration))).toEqual([])
    const { folder, copied } = await ensureDefaults({ folder: configuration.writeRoot as string })
    expect({ folder, copied }).toEqual({ folder: mine, copied: ['review-a-skill', 'write-a-skill'] })
    expect(listed(await openConfigured(configuration))).toEqual(['personal review-a-skill', 'personal write-a-skill'])
  })

  it('[DISC-9, LIB-1] reads from and writes to one folder, whoever has named it and whatever else is set', async () => {
    const mine = join(base, 'my/skills')
    const byCode = await loadConfiguration({ env, overrides: { skillsDir: mine } })
    expect([byCode.roots.personal, byCode.writeRoot]).toEqual([[mine], mine])
    const byEnvironment = await loadConfiguration({
      env: { ...env, REPERTOIRE_SKILLS_DIR: mine },
      overrides: { roots: { personal: [join(base, 'more'), mine] } },
    })
    expect([byEnvironment.roots.personal, byEnvironment.writeRoot]).toEqual([[mine, join(base, 'more')], mine])
    await ensureDefaults({ folder: mine })
    const read = await openConfigured({ env, overrides: { skillsDir: mine, roots: { bundled: false } } })
    expect(listed(read)).toEqual(['personal review-a-skill', 'personal write-a-skill'])
  })

  it('passes on how skills are read', async () => {
    put('p/Bad_Name/SKILL.md', manifest('Bad_Name', 'unknown: 1\n'))
    const overrides = { roots: { personal: [join(base, 'p')], bundled: false } }
    expect(listed(await openConfigured({ env, overrides: { ...overrides, profile: 'strict' } }))).toEqual([])
    expect(listed(await openConfigured({ env, overrides: { ...overrides, profile: 'lenient' } }))).toHaveLength(1)
  })

  it('ranks a host’s own sources after those of the configuration', async () => {
    const sources = [memorySource({ layer: 'bundled', skills: { made: { 'SKILL.md': manifest('made') } } })]
    expect(listed(await openConfigured({ env, overrides: none }, { sources }))).toEqual(['bundled made'])
  })

  it('[DISC-11, ABUSE-22] reports in the catalog that the file of an untrusted project was not read', async () => {
    put('project/.repertoire/config.json', '{ "enabled": false }')
    put('project/.repertoire/skills/a/SKILL.md', manifest('a'))
    const { catalog } = await openConfigured({ project, env, overrides: { ...none, trustProject: false } })
    expect(catalog.list()).toEqual([])
    expect(catalog.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      `WORKSPACE_UNTRUSTED ${join(project, '.repertoire/skills')}`,
      `WORKSPACE_UNTRUSTED ${join(project, '.repertoire/config.json')}`,
    ])
  })
})

describe('[DISC-9] a repertoire that is not enabled', () => {
  const restricted = memorySource({
    layer: 'personal',
    skills: { narrow: { 'SKILL.md': manifest('narrow', 'allowed-tools: Read\n') } },
  })

  it('scans no source', async () => {
    let scans = 0
    const counting = {
      ...restricted,
      scan: () => ((scans += 1), restricted.scan()),
    }
    const options = { env, overrides: { enabled: false } }
    const repertoire = await openConfigured(options, { sources: [counting] })
    expect(repertoire.catalog.list()).toEqual([])
    expect(repertoire.catalog.diagnostics).toEqual([])
    expect(scans).toBe(0)
    expect(configuredSources(await loadConfiguration(options))).toEqual([])
    await openConfigured({ env, overrides: none }, { sources: [counting] })
    expect(scans).toBe(1)
  })

  it('offers no tools, and leaves the prompt and every name to the host', async () => {
    const repertoire = await openConfigured({ env, overrides: { enabled: false } }, { sources: [restricted] })
    const session = openAdapterSession(repertoire, { consent: () => true })
    const view = await session.step({ tools: ['Bash', 'activate_skill'] })
    expect(view.tools).toEqual([])
    expect(view.system('Be kind.')).toBe('Be kind.')
    expect(view.isHidden('Bash')).toBe(false)
    const outcome = await session.call(
      { id: '1', tool: 'activate_skill', input: { name: 'narrow' } },
      () => 'the host’s own',
    )
    expect(outcome).toMatchObject({ ok: true, value: 'the host’s own' })
  })

  it('restricts nothing, also in a saved session with active skills, and keeps these skills for later', async () => {
    const open = (enabled: boolean): Promise<Repertoire> =>
      openConfigured({ env, overrides: { ...none, enabled } }, { sources: [restricted] })
    const before = openAdapterSession(await open(true), { id: 's', consent: () => true })
    await before.step({ tools: ['Bash'] })
    expect(await before.call({ id: '1', tool: 'activate_skill', input: { name: 'narrow' } }, () => '')).toMatchObject({
      ok: true,
    })
    const bash = { id: '2', tool: 'Bash', input: { command: 'ls' } }
    expect(await before.call(bash, () => 'ran')).toMatchObject({ ok: false })
    const saved = before.save()
    const off = openAdapterSession(await open(false), { saved })
    expect(off.id).toBe('s')
    await off.step({ tools: ['Bash'] })
    expect(await off.call(bash, () => 'ran')).toMatchObject({ ok: true, value: 'ran' })
    const again = openAdapterSession(await open(true), { saved })
    await again.step({ tools: ['Bash'] })
    expect(await again.call(bash, () => 'ran')).toMatchObject({ ok: false })
  })
})
