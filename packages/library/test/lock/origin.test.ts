import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire, type SkillSource } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { directorySource, standardSources } from '@repertoire/core/node'
import { applyPlan, createSkillRegistry, openFileStore, planAdd, resolveOrigin } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'

const layer = 'project'
const SKILL = '---\nname: PDF Forms\ndescription: Forms.\nsource: https://claimed.example\n---\nFill in.\n'

/** A folder with a skill, to install from. */
function published(folder = 'forms', text = SKILL): string {
  const root = temporaryFolder()
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, 'SKILL.md'), text)
  return root
}

/** What a catalog, a loaded document and an activation show of where the one skill comes from. */
async function shownOrigin(sources: readonly SkillSource[]) {
  await using repertoire = await openRepertoire({ sources })
  const [skill] = repertoire.catalog.list()
  const { name, manifest } = skill!
  await using session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: [] })
  const outcome = await session.call({ id: '1', tool: 'activate_skill', input: { name } }, () => undefined)
  return {
    catalog: [manifest.source, manifest.createdBy],
    loaded: (await repertoire.load(name)).manifest.source,
    tiers: repertoire.tiers().metadata()[0]!.manifest.source,
    activation: outcome.ok ? (outcome.value as { readonly origin?: string }).origin : outcome,
  }
}

const all = (origin: string | undefined) => ({
  catalog: [origin, origin === undefined ? undefined : 'import'],
  loaded: origin,
  tiers: origin,
  activation: origin,
})

describe('an imported skill', () => {
  it('[LIB-4] has its origin after `add`, by the lock, and its file stays as its author wrote it', async () => {
    const [from, project] = [published(), temporaryFolder()]
    await applyPlan(await planAdd({ project, origins: [await resolveOrigin(from)], also: ['.claude/skills'] }))
    const { source } = JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8')).skills['pdf-forms']
    expect(readFileSync(join(project, '.agents/skills/pdf-forms/SKILL.md'), 'utf8')).toBe(SKILL)
    for (const root of ['.agents/skills', '.claude/skills']) {
      expect(await shownOrigin([directorySource({ root: join(project, root), layer, followLinks: true })])).toEqual(
        all(source),
      )
    }
    const options = { project, enterprise: false } as const
    expect(await shownOrigin(standardSources(options))).toEqual(all(source))
    const store = await openFileStore({ root: join(project, '.agents/skills'), layer })
    expect(await shownOrigin([store])).toEqual(all(source))
  })

  it('[LIB-4] has its origin in a store, after `replace` with what was fetched', async () => {
    const [from, root] = [published(), temporaryFolder()]
    const store = await openFileStore({ root, layer })
    const { skills } = await (await resolveOrigin(from)).fetch()
    const [{ name, files, origin } = { name: '', files: new Map(), origin: '' }] = skills
    await store.replace(name, files, { origin })
    expect(origin).toContain(from)
    expect(readFileSync(join(root, name, 'SKILL.md'), 'utf8')).toBe(SKILL)
    expect(await shownOrigin([store])).toEqual(all(origin))
    // A plain source of the same folder knows it as well.
    expect(await shownOrigin([directorySource({ root, layer })])).toEqual(all(origin))
    expect((await store.get('PDF Forms')).manifest.source).toBe(origin)
  })

  it('[LIB-4] keeps its origin out of its file when a registry activates it', async () => {
    const text = '---\nname: draft\ndescription: A draft.\nstatus: draft\n---\nDraft.\n'
    const root = temporaryFolder()
    const store = await openFileStore({ root, layer })
    await store.replace('draft', new Map([['SKILL.md', { bytes: Buffer.from(text) }]]), { origin: 'example/skills' })
    const { manifest } = await createSkillRegistry({ store }).activate('draft')
    expect([manifest.status, manifest.source]).toEqual(['active', 'example/skills'])
    expect(readFileSync(join(root, 'draft/SKILL.md'), 'utf8')).not.toContain('example/skills')
  })

  it('[LIB-4] has what its file claims where no lock and no store names its origin', async () => {
    const root = published()
    expect(await shownOrigin([directorySource({ root, layer })])).toMatchObject({ loaded: 'https://claimed.example' })
    const local = published('local', '---\nname: local\ndescription: Mine.\n---\nMine.\n')
    expect(await shownOrigin([directorySource({ root: local, layer })])).toEqual(all(undefined))
  })

  it.each([
    [
      'github',
      { source: 'o/r', sourceType: 'github', ref: 'v1', skillPath: 'skills/pdf/SKILL.md' },
      'o/r/skills/pdf#v1',
    ],
    ['npm', { source: '@o/p', sourceType: 'npm', ref: '1.0.0' }, 'npm:@o/p@1.0.0'],
    ['a site', { source: 'x', sourceType: 'well-known', sourceUrl: 'https://x.example' }, 'https://x.example'],
    ['an unknown kind', { source: 'x', sourceType: 'later' }, undefined],
    ['a source that is not text', { source: 1, sourceType: 'npm' }, undefined],
    ['control characters', { source: 'a\u202Eb\n', sourceType: 'npm' }, undefined],
    ['another folder', { source: 'o/r', sourceType: 'github', repertoire: { files: {}, folder: 'skills' } }, undefined],
  ])('[LIB-4] reads the lock of another command: %s', async (_, entry, origin) => {
    const project = temporaryFolder()
    const folder = join(project, '.agents/skills/next.js-caching')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), '---\nname: next-js\ndescription: Next.\n---\nNext.\n')
    writeFileSync(
      join(project, 'skills-lock.json'),
      JSON.stringify({ version: 1, skills: { 'Next.js Caching': entry, other: { source: 'no', sourceType: 'npm' } } }),
    )
    expect(await shownOrigin([directorySource({ root: join(project, '.agents/skills'), layer })])).toEqual(all(origin))
  })

  it.each(['{', '[]', '{"skills":1}', '{"skills":{"local":null}}', '\0'])(
    '[LIB-4] is found without an origin beside a lock that cannot be read: %j',
    async (lock) => {
      const project = temporaryFolder()
      cpSync(
        published('local', '---\nname: local\ndescription: Mine.\n---\nMine.\n'),
        join(project, '.agents/skills'),
        {
          recursive: true,
        },
      )
      writeFileSync(join(project, 'skills-lock.json'), lock)
      mkdirSync(join(project, '.agents/skills/.repertoire'))
      copyFileSync(join(project, 'skills-lock.json'), join(project, '.agents/skills/.repertoire/origins.json'))
      expect(await shownOrigin([directorySource({ root: join(project, '.agents/skills'), layer })])).toEqual(
        all(undefined),
      )
    },
  )
})
