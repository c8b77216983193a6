import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConfigurationSettings } from '../../../src/node/index.ts'
import {
  base,
  environment,
  load,
  places,
  problems,
  project,
  projectFile,
  put,
  userFile,
  useTemporaryConfiguration,
} from './temporary-files.ts'

useTemporaryConfiguration()

describe('[DISC-9] the file of a project', () => {
  it('may turn skills off, be stricter, choose the style, its own folders, and fewer packages', async () => {
    put(projectFile, {
      enabled: false,
      profile: 'strict',
      style: 'section',
      programs: 'known',
      roots: { project: ['skills'] },
      packages: ['a'],
    })
    const { enabled, profile, style, programs, roots, packages, origins } = await load({ project })
    expect({ enabled, profile, style, programs, packages, project: roots.project }).toEqual({
      enabled: false,
      profile: 'strict',
      style: 'section',
      programs: 'known',
      packages: ['a'],
      project: [join(project, 'skills')],
    })
    for (const key of ['enabled', 'profile', 'style', 'programs', 'packages', 'roots.project'] as const) {
      expect(origins[key]).toEqual({ from: 'project', at: projectFile })
    }
  })

  it('permits no more than the user does', async () => {
    put(userFile, { programs: 'known' })
    put(projectFile, { programs: 'any' })
    expect((await load({ project })).programs).toBe('known')
    put(userFile, { ask: ['Write'] })
    put(projectFile, { ask: ['Bash(git push:*)', 'Write'] })
    expect((await load({ project })).ask).toEqual(['Write', 'Bash(git push:*)'])
    put(projectFile, { ask: [] })
    expect((await load({ project })).ask).toEqual(['Write'])
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

  it('ranks below the environment and code, which are the user’s', async () => {
    put(projectFile, { enabled: false, style: 'section' })
    const { enabled, style } = await load({
      project,
      env: environment({ REPERTOIRE_ENABLED: 'true' }),
      overrides: { style: 'tool' },
    })
    expect({ enabled, style }).toEqual({ enabled: true, style: 'tool' })
  })

  it('may not widen anything: each such setting is an error that names it', async () => {
    const forbidden: ConfigurationSettings = {
      listingBudget: false,
      contextWindow: 1,
      admit: { scripts: true },
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
    put(projectFile, { sessionSecret: 'x' })
    expect(await places({ project })).toEqual(['project/.repertoire/config.json:2 sessionSecret'])
  })

  it('[ABUSE-15] names no folder outside of the project, and is read through no link', async () => {
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

  it('[DISC-11, ABUSE-22] is not read if the project is not trusted, and that is reported', async () => {
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
