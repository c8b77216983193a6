import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { type Repertoire, type RepertoireOptions, type SkillSource, openRepertoire } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'
import { failingScan } from '../mapped-source.ts'

let base: string

const write = (path: string, fields = '', text?: string): string => {
  const file = join(base, path, 'SKILL.md')
  mkdirSync(dirname(file), { recursive: true })
  const name = path.split('/').at(-1)!
  writeFileSync(file, text ?? `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody.\n`)
  return file
}

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-explain-'))
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

const openLayers = (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({
    sources: [
      directorySource({ root: join(base, 'high'), layer: 'enterprise', id: 'high' }),
      directorySource({ root: join(base, 'low'), layer: 'project', id: 'low' }),
    ],
    ...options,
  })

describe('explain', () => {
  it('[CAT-9] says that a skill is shown', async () => {
    const path = write('low/pdf')
    const { verdict, candidates, text } = (await openLayers()).explain('pdf')
    expect({ verdict, candidates }).toEqual({
      verdict: 'shown',
      candidates: [{ fate: 'shown', path, source: 'low', layer: 'project', reasons: [] }],
    })
    expect(text).toBe(`"pdf" is shown.\n- ${path} (layer project, source low): shown`)
  })

  it.each([
    ['layer', 'high', '', 'low', '', /the layer enterprise has precedence over project/],
    ['priority', 'low', 'priority: 1\n', 'low2', '', /its priority is 1/],
    ['order', 'low', '', 'low2', '', /order in which they were found/],
  ] as const)('[CAT-9] says which skill shadows another, and why: %s', async (_, a, fieldsA, b, fieldsB, words) => {
    const winner = write(`${a}/pdf`, fieldsA)
    const loser = write(`${b}/pdf`, fieldsB)
    const sources = ['high', 'low', 'low2'].map((name) =>
      directorySource({ root: join(base, name), layer: name === 'high' ? 'enterprise' : 'project', id: name }),
    )
    const { verdict, candidates, text } = (await openLayers({ sources })).explain('pdf')
    expect(verdict).toBe('shown')
    expect(candidates.map(({ fate, path }) => [fate, path])).toEqual([
      ['shown', winner],
      ['shadowed', loser],
    ])
    expect(candidates[1]?.reasons).toEqual([{ type: 'shadowed', text: expect.stringMatching(words) as string }])
    expect(candidates[1]?.reasons[0]?.text).toContain(winner)
    expect(text).toMatch(words)
  })

  it.each([
    ['allowlist', '', { skills: ['other'] }],
    ['scope.agents', 'scope:\n  agents: [coder]\n', { agent: 'writer' }],
    ['scope.tenants', 'scope:\n  tenants: [acme]\n', {}],
    ['scope.environments', 'scope:\n  environments: [production]\n', { environment: 'test' }],
    ['disable-model-invocation', 'disable-model-invocation: true\n', {}],
  ])('[CAT-9, CAT-6] says which rule hides a skill: %s', async (rule, fields, viewer) => {
    write('low/pdf', fields)
    write('low/other')
    const repertoire = await openLayers()
    const { verdict, candidates, text } = repertoire.explain('pdf', { viewer })
    expect(verdict).toBe('hidden')
    expect(candidates[0]?.reasons.map(({ type }) => type)).toEqual([rule])
    expect(text).toContain('"pdf" is hidden from this viewer.')
    const session = openAdapterSession(repertoire, viewer)
    expect((await session.step({ tools: [] })).instructions).not.toContain('pdf')
  })

  it('[CAT-9] lists every rule that hides a skill', async () => {
    write('low/pdf', 'scope:\n  agents: [coder]\n  tenants: [acme]\ndisable-model-invocation: true\n')
    const { candidates } = (await openLayers()).explain('pdf', { viewer: { tenant: 'acme', skills: [] } })
    expect(candidates[0]?.reasons.map(({ type }) => type)).toEqual([
      'scope.agents',
      'allowlist',
      'disable-model-invocation',
    ])
  })

  it('[CAT-9, CAT-8] says that a skill is a draft or disabled', async () => {
    write('low/pdf', 'status: draft\n')
    write('low/xlsx', 'status: disabled\n')
    const repertoire = await openLayers()
    expect(repertoire.explain('pdf')).toMatchObject({
      verdict: 'inactive',
      candidates: [{ fate: 'inactive', reasons: [{ type: 'inactive', text: 'its `status` is draft' }] }],
    })
    expect(repertoire.explain('xlsx').text).toContain('its `status` is disabled')
  })

  it('[CAT-9] shows the diagnostic of a broken skill, found by the name of its folder or its own', async () => {
    const path = write('low/folder', '', '---\nname: pdf\ndescription: [\n---\n')
    const repertoire = await openLayers()
    for (const name of ['folder', 'pdf']) {
      const { verdict, candidates, text } = repertoire.explain(name)
      expect(verdict).toBe('broken')
      expect(candidates).toMatchObject([{ fate: 'broken', path, source: 'low', layer: 'project' }])
      expect(candidates[0]?.reasons).toHaveLength(
        repertoire.catalog.diagnostics.filter((diagnostic) => diagnostic.path === path).length,
      )
      expect(text).toMatch(/error YAML_INVALID on line \d/)
    }
  })

  it('[CAT-9] says that a link, or a linked manifest, was not loaded', async () => {
    write('elsewhere/pdf')
    mkdirSync(join(base, 'low/xlsx'), { recursive: true })
    symlinkSync(join(base, 'elsewhere/pdf'), join(base, 'low/pdf'))
    symlinkSync(join(base, 'elsewhere/pdf/SKILL.md'), join(base, 'low/xlsx/SKILL.md'))
    const repertoire = await openLayers()
    expect(repertoire.explain('pdf')).toMatchObject({ verdict: 'broken' })
    expect(repertoire.explain('pdf').text).toContain('SKILL_FOLDER_LINKED')
    expect(repertoire.explain('xlsx').text).toContain('MANIFEST_LINKED')
  })

  it('[CAT-9] says that the budget of the list cut a skill or its description', async () => {
    for (let n = 100; n < 200; n++) write(`low/skill-${n}`)
    const budget = { share: 0.0015 }
    const repertoire = await openLayers({ listing: { budget, search: 'never' } })
    const { cuts } = await openAdapterSession(repertoire).step({ tools: [] })
    expect(cuts.dropped.length).toBeGreaterThan(0)
    const [[dropped], [bare]] = [cuts.dropped, cuts.withoutDescription]
    expect(repertoire.explain(dropped!)).toMatchObject({
      verdict: 'cut',
      candidates: [{ fate: 'cut', reasons: [{ type: 'cut' }] }],
    })
    expect(repertoire.explain(bare!)).toMatchObject({
      verdict: 'shown',
      candidates: [{ reasons: [{ type: 'cut', text: expect.stringContaining('its name alone') as string }] }],
    })
    const searched = await openLayers({ listing: { budget } })
    // What a model can search for is listed with a description or not at all.
    expect((await openAdapterSession(searched).step({ tools: [] })).cuts.withoutDescription).toEqual([])
    expect(searched.explain(bare!)).toMatchObject({ verdict: 'cut' })
  })

  it('[CAT-9, ABUSE-106] says that the last valid version of a skill is kept, and what is wrong now', async () => {
    write('low/pdf')
    const repertoire = await openLayers()
    write('low/pdf', '', 'broken')
    await repertoire.reload({ force: true })
    const { verdict, candidates, text } = repertoire.explain('pdf')
    expect(verdict).toBe('shown')
    expect(candidates).toMatchObject([
      { fate: 'shown', reasons: [{ text: expect.stringMatching(/^error /) as string }, { type: 'diagnostic' }] },
    ])
    expect(text).toContain('It is kept as it was read last.')
  })

  it('[CAT-9, ABUSE-22] suggests names similar to an unknown one, and lists what could not be read', async () => {
    write('low/pdf-forms')
    write('closed/secret')
    const failing: SkillSource = { id: 'remote', layer: 'plugin', scan: failingScan('Away.') }
    const repertoire = await openLayers({
      sources: [
        directorySource({ root: join(base, 'low'), layer: 'project' }),
        directorySource({ root: join(base, 'closed'), layer: 'project', trusted: false }),
        failing,
      ],
    })
    const { verdict, candidates, nearest, unseen, text } = repertoire.explain('pdf-form')
    expect({ verdict, candidates, nearest }).toEqual({ verdict: 'unknown', candidates: [], nearest: ['pdf-forms'] })
    expect(unseen.map(({ code }) => code)).toEqual(['WORKSPACE_UNTRUSTED', 'SOURCE_FAILED'])
    expect(text).toMatch(/There is no skill "pdf-form"\. Did you mean "pdf-forms"\?[^]*not trusted[^]*Away\./)
    expect(repertoire.explain('constructor')).toMatchObject({ verdict: 'unknown', nearest: [] })
  })

  it('[CAT-9] lists every candidate for a name, the closest to being shown first', async () => {
    write('low/pdf', 'status: draft\n')
    write('high/other', '', '---\nname: pdf\ndescription: [\n---\n')
    const repertoire = await openLayers()
    expect(repertoire.explain('pdf').candidates.map(({ fate }) => fate)).toEqual(['inactive', 'broken'])
    write('high/pdf')
    await repertoire.reload({ force: true })
    expect(repertoire.explain('pdf').candidates.map(({ fate }) => fate)).toEqual(['shown', 'inactive', 'broken'])
  })

  it('[CAT-9, ABUSE-13] makes invisible characters visible in the text', async () => {
    const repertoire = await openLayers()
    expect(repertoire.explain('pdf\u202E\u001B[2J').text).toContain('pdf\\u{202E}\\u{1B}[2J')
  })
})
