import { describe, expect, it } from 'vitest'
import {
  type Catalog,
  type Layer,
  memorySource,
  openRepertoire,
  type RepertoireOptions,
  type SkillSource,
  type Viewer,
} from '../../src/index.ts'
import { failingScan, mapped } from '../mapped-source.ts'

const text = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody of ${name}.\n`

const source = (id: string, layer: Layer, skills: Readonly<Record<string, string>>): SkillSource =>
  memorySource({
    id,
    layer,
    skills: Object.fromEntries(Object.entries(skills).map(([name, manifest]) => [name, { 'SKILL.md': manifest }])),
  })

const catalogOf = async (options: RepertoireOptions): Promise<Catalog> => (await openRepertoire(options)).catalog

describe('the catalog', () => {
  it('[CAT-2] lists skills by name, in code-unit order whatever the order of the sources', async () => {
    const catalog = await catalogOf({
      sources: [
        source('b', 'project', { zeta: text('zeta'), alpha: text('alpha') }),
        source('a', 'personal', { mid: text('mid') }),
      ],
    })
    expect(catalog.list().map(({ name }) => name)).toEqual(['alpha', 'mid', 'zeta'])
  })

  it('[CAT-2] gives SKILL_NOT_FOUND with the nearest names for an unknown one', async () => {
    const catalog = await catalogOf({
      sources: [
        source('a', 'project', { 'pdf-forms': text('pdf-forms'), 'pdf-merge': text('pdf-merge'), xlsx: text('xlsx') }),
      ],
    })
    expect(catalog.get('xlsx').name).toBe('xlsx')
    expect(() => catalog.get('pdf-form')).toThrow(
      expect.objectContaining({ code: 'SKILL_NOT_FOUND', nearest: ['pdf-forms'] }),
    )
    expect(() => catalog.get('pdf-form')).toThrow('Did you mean "pdf-forms"?')
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    '[CAT-2] treats %j as an unknown name',
    async (name) => {
      const catalog = await catalogOf({ sources: [source('a', 'project', { pdf: text('pdf') })] })
      expect(catalog.has(name)).toBe(false)
      expect(() => catalog.get(name)).toThrow(expect.objectContaining({ code: 'SKILL_NOT_FOUND' }))
    },
  )

  it('[CAT-8] lists active skills only, and has the others as inactive', async () => {
    const catalog = await catalogOf({
      sources: [
        source('a', 'project', {
          on: text('on'),
          draft: text('draft', 'status: draft\n'),
          off: text('off', 'status: disabled\n'),
        }),
      ],
    })
    expect(catalog.list().map(({ name }) => name)).toEqual(['on'])
    expect(catalog.inactive.map(({ name }) => name)).toEqual(['draft', 'off'])
    expect(catalog.has('draft')).toBe(false)
  })

  it('[CAT-8] lets a disabled skill shadow nothing', async () => {
    const catalog = await catalogOf({
      sources: [
        source('a', 'enterprise', { pdf: text('pdf', 'status: disabled\n') }),
        source('b', 'project', { pdf: text('pdf') }),
      ],
    })
    expect(catalog.get('pdf').source).toBe('b')
  })

  it('[DISC-3] loads all other skills if one is broken, and reports what is wrong with it', async () => {
    const skills = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`skill-${n}`, text(`skill-${n}`)]))
    const catalog = await catalogOf({
      sources: [source('a', 'project', { ...skills, broken: '---\nname: [\n---\n' })],
    })
    expect(catalog.list()).toHaveLength(49)
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({ severity: 'error', path: 'memory:a/broken/SKILL.md' }),
    ])
  })

  it('[DISC-3] loads the skills after one whose reading throws', async () => {
    const good = source('a', 'project', { one: text('one'), three: text('three'), two: text('two') })
    const failing: SkillSource = {
      ...good,
      scan: () =>
        mapped(good, (found) => ({
          ...found,
          get head(): Uint8Array {
            if (found.folderName === 'three') throw new Error('The disk is away.')
            return found.head
          },
        })),
    }
    const catalog = await catalogOf({ sources: [failing] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['one', 'two'])
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({
        code: 'MANIFEST_UNREADABLE',
        path: 'memory:a/three/SKILL.md',
        message: expect.stringContaining('The disk is away.') as string,
      }),
    ])
  })

  it('[DISC-3] loads the other sources if one fails as a whole', async () => {
    const failing: SkillSource = {
      id: 'remote',
      layer: 'plugin',
      scan: failingScan('The server is away.'),
    }
    const catalog = await catalogOf({ sources: [failing, source('a', 'project', { pdf: text('pdf') })] })
    expect(catalog.has('pdf')).toBe(true)
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({
        code: 'SOURCE_FAILED',
        path: 'remote',
        message: expect.stringContaining('The server is away.') as string,
      }),
    ])
  })

  it('[DISC-5] lets the higher layer win, whatever the priority', async () => {
    const sources = [
      source('bundled', 'bundled', { pdf: text('pdf', 'priority: 99\n') }),
      source('project', 'project', { pdf: text('pdf', 'priority: 50\n') }),
      source('enterprise', 'enterprise', { pdf: text('pdf') }),
    ]
    const catalog = await catalogOf({ sources })
    expect(catalog.get('pdf').source).toBe('enterprise')
    expect(catalog.shadowed.map(({ skill, by }) => [skill.source, by.source])).toEqual([
      ['project', 'enterprise'],
      ['bundled', 'enterprise'],
    ])
  })

  it('[DISC-5] lets the higher priority win within a layer', async () => {
    const catalog = await catalogOf({
      sources: [
        source('a', 'project', { pdf: text('pdf') }),
        source('b', 'project', { pdf: text('pdf', 'priority: 1\n') }),
      ],
    })
    expect(catalog.get('pdf').source).toBe('b')
  })

  it('[DISC-4] takes the order of layers as an option', async () => {
    const sources = [
      source('personal', 'personal', { pdf: text('pdf') }),
      source('project', 'project', { pdf: text('pdf') }),
    ]
    expect((await catalogOf({ sources })).get('pdf').source).toBe('personal')
    const layers: Layer[] = ['enterprise', 'project', 'personal', 'plugin', 'bundled']
    expect((await catalogOf({ sources, catalog: { layers } })).get('pdf').source).toBe('project')
  })

  it('[DISC-4, ABUSE-19] puts layers that the option leaves out last, in their default order', async () => {
    const sources = [
      source('p', 'project', { pdf: text('pdf', 'priority: 100\n') }),
      source('e', 'enterprise', { pdf: text('pdf') }),
      source('b', 'bundled', { pdf: text('pdf', 'priority: 200\n') }),
    ]
    const catalog = await catalogOf({ sources, catalog: { layers: ['personal'] } })
    expect(catalog.get('pdf').layer).toBe('enterprise')
    const named = await catalogOf({ sources, catalog: { layers: ['bundled'] } })
    expect(named.get('pdf').layer).toBe('bundled')
    expect(named.shadowed.map(({ skill }) => skill.layer)).toEqual(['enterprise', 'project'])
  })

  it('[DISC-6] takes the first of two equals by default, or the last, and names both paths', async () => {
    const sources = [source('a', 'project', { pdf: text('pdf') }), source('b', 'project', { pdf: text('pdf') })]
    const first = await catalogOf({ sources })
    expect(first.get('pdf').source).toBe('a')
    expect(first.diagnostics).toEqual([
      expect.objectContaining({
        code: 'SKILL_SHADOWED',
        severity: 'warning',
        path: 'memory:b/pdf/SKILL.md',
        message: expect.stringContaining('memory:a/pdf/SKILL.md') as string,
      }),
    ])
    const last = await catalogOf({ sources, catalog: { collision: 'last' } })
    expect(last.get('pdf').source).toBe('b')
    expect(last.diagnostics.map(({ code }) => code)).toEqual(['SKILL_SHADOWED'])
  })

  it('[ABUSE-19] lets a project override no enterprise skill', async () => {
    const catalog = await catalogOf({
      sources: [
        source('evil', 'project', { deploy: text('deploy', 'priority: 2147483647\nallowed-tools: Bash\n') }),
        source('corp', 'enterprise', { deploy: text('deploy', 'allowed-tools: Read\n') }),
      ],
    })
    expect(catalog.get('deploy').manifest.allowedTools).toEqual([{ tool: 'Read' }])
  })

  it('[CAT-1] reads nothing of a folder but the head of its manifest', async () => {
    const head = new TextEncoder().encode(text('pdf'))
    const untouched = () => Promise.reject(new Error('read'))
    const lazy: SkillSource = {
      id: 'lazy',
      layer: 'project',
      scan: () => [
        {
          folder: { location: 'lazy:pdf', readManifest: untouched, list: untouched, read: untouched },
          folderName: 'pdf',
          path: 'lazy:pdf/SKILL.md',
          fileName: 'SKILL.md',
          size: 1_000_000,
          head,
        },
      ],
    }
    const catalog = await catalogOf({ sources: [lazy] })
    expect(catalog.has('pdf')).toBe(true)
    expect(catalog.diagnostics).toEqual([])
  })
})

describe('what a viewer sees', () => {
  const repertoire = openRepertoire({
    sources: [
      source('a', 'project', {
        all: text('all'),
        coder: text('coder', 'scope:\n  agents: [coder]\n'),
        acme: text('acme', 'scope:\n  tenants: [acme]\n'),
        prod: text('prod', 'scope:\n  environments: [production]\n'),
      }),
    ],
  })
  const names = async (viewer: Viewer): Promise<readonly string[]> =>
    (await repertoire)
      .tiers({ viewer })
      .metadata()
      .map(({ name }) => name)

  it('[CAT-5] is everything without an allowlist and with `*`, nothing with an empty one, and else the named skills', async () => {
    const everyone = { agent: 'coder', tenant: 'acme', environment: 'production' }
    expect(await names(everyone)).toEqual(['acme', 'all', 'coder', 'prod'])
    expect(await names({ ...everyone, skills: ['*'] })).toHaveLength(4)
    expect(await names({ ...everyone, skills: [] })).toEqual([])
    expect(await names({ ...everyone, skills: ['all', 'prod', 'unknown'] })).toEqual(['all', 'prod'])
  })

  it('[CAT-6] lacks a skill whose scope does not name the agent, tenant or environment', async () => {
    expect(await names({})).toEqual(['all'])
    expect(await names({ agent: 'coder' })).toEqual(['all', 'coder'])
    expect(await names({ tenant: 'coder' })).toEqual(['all'])
    expect(await names({ tenant: 'acme', agent: 'writer' })).toEqual(['acme', 'all'])
  })

  it('[CAT-5, CAT-6] stays the same, however many other viewers look in between', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await names({ agent: 'coder' })).toEqual(['all', 'coder'])
      for (let n = 0; n < 40; n++) expect(await names({ agent: `other-${n}` })).toEqual(['all'])
    }
  })

  it('[CAT-5, CAT-6] is what the catalog lists, has and finds for a viewer', async () => {
    const { catalog } = await repertoire
    const viewer = { agent: 'coder', skills: ['coder', 'acme'] }
    expect(catalog.list({ viewer }).map(({ name }) => name)).toEqual(['coder'])
    expect(catalog.list()).toHaveLength(4)
    expect([catalog.has('acme', { viewer }), catalog.has('acme')]).toEqual([false, true])
    expect(catalog.get('coder', { viewer }).name).toBe('coder')
    expect(() => catalog.get('acme', { viewer })).toThrow('There is no skill "acme" in the catalog.')
    expect(() => catalog.list({ agent: 'coder' } as never)).toThrow('list: unknown option `agent`.')
  })

  it.each(['prod', 'constructor', '__proto__', ''])('[CAT-5] does not include %j if it is not listed', async (name) => {
    const { load } = await repertoire
    await expect(load(name, { viewer: { skills: ['all', name] } })).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
  })

  it.each(['agents', 'tenants', 'environments'])('[CAT-6] includes a skill with "*" in scope.%s', async (part) => {
    const open = source('a', 'project', { open: text('open', `scope:\n  ${part}: ['*']\n`) })
    const { explain } = await openRepertoire({ sources: [open] })
    for (const viewer of [{}, { agent: 'any', tenant: 'any', environment: 'any' }])
      expect(explain('open', { viewer }).verdict).toBe('shown')
  })
})

describe('skills of one name with a scope', () => {
  const scoped = (tenant: string) => text('deploy', `scope:\n  tenants: [${tenant}]\n`)
  const opening = openRepertoire({
    sources: [
      source('ours', 'enterprise', { deploy: scoped('acme') }),
      source('theirs', 'enterprise', { deploy: scoped('umbrella') }),
      source('all', 'project', { deploy: text('deploy'), hidden: text('hidden', 'disable-model-invocation: true\n') }),
      source('last', 'plugin', { deploy: text('deploy'), hidden: text('hidden') }),
    ],
  })
  const seenBy = async (viewer?: Viewer): Promise<readonly string[]> =>
    (await opening).catalog.list({ viewer }).flatMap(({ name, source: id }) => (name === 'deploy' ? [id] : []))

  it('[DISC-5, CAT-6] take their name from nobody who may not see them: two tenants each have their own', async () => {
    expect(await seenBy({ tenant: 'acme' })).toEqual(['ours'])
    expect(await seenBy({ tenant: 'umbrella' })).toEqual(['theirs'])
    expect(await seenBy({ tenant: 'other' })).toEqual(['all'])
    expect(await seenBy({})).toEqual(['all'])
    const { catalog } = await opening
    expect(catalog.get('deploy', { viewer: { tenant: 'umbrella' } }).source).toBe('theirs')
  })

  it('[DISC-5] are shadowed only where everyone sees another instead', async () => {
    const { catalog } = await opening
    expect(await seenBy()).toEqual(['ours', 'theirs', 'all'])
    expect(catalog.shadowed.map(({ skill, by }) => [skill.name, skill.source, by.source])).toEqual([
      ['deploy', 'last', 'all'],
      ['hidden', 'last', 'all'],
    ])
    expect(catalog.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['SKILL_SHADOWED', 'memory:last/deploy/SKILL.md'],
      ['SKILL_SHADOWED', 'memory:last/hidden/SKILL.md'],
    ])
  })

  it('[DISC-5, ABUSE-19] give a name that is kept from models to no lower layer', async () => {
    const { catalog } = await opening
    expect(catalog.has('hidden', { viewer: {} })).toBe(false)
    expect(catalog.get('hidden', { viewer: { person: true } }).source).toBe('all')
  })

  it('[DISC-5, CAT-9] are explained to each viewer as that viewer sees them', async () => {
    const { explain } = await opening
    const fates = (viewer: Viewer) =>
      explain('deploy', { viewer }).candidates.map(({ fate, source: id, reasons }) => [
        id,
        fate,
        ...reasons.flatMap(({ type, text: why }) =>
          type === 'shadowed' ? /^memory:(\w+)\/.*: the (layer) /.exec(why)!.slice(1) : [],
        ),
      ])
    expect(fates({ tenant: 'acme' })).toEqual([
      ['ours', 'shown'],
      ['theirs', 'hidden'],
      ['all', 'shadowed', 'ours', 'layer'],
      ['last', 'shadowed', 'ours', 'layer'],
    ])
    expect(fates({})).toEqual([
      ['all', 'shown'],
      ['ours', 'hidden'],
      ['theirs', 'hidden'],
      ['last', 'shadowed', 'all', 'layer'],
    ])
  })

  it('[DISC-5, CAT-4] change for one tenant alone', async () => {
    const skills: Record<string, string> = { deploy: text('deploy') }
    const changing: SkillSource = { id: 'c', layer: 'project', scan: () => source('c', 'project', skills).scan() }
    const other = source('ours', 'enterprise', { deploy: scoped('acme') })
    const repertoire = await openRepertoire({ sources: [changing, other] })
    delete skills['deploy']
    await repertoire.reload({ force: true })
    expect(repertoire.catalog.list().map(({ source: id }) => id)).toEqual(['ours'])
    expect(repertoire.catalog.has('deploy', { viewer: {} })).toBe(false)
  })
})
