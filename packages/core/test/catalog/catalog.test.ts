import { describe, expect, it } from 'vitest'
import { type Layer, type SkillSource, memorySource } from '../../src/index.ts'
import { buildCatalog } from '../../src/catalog/catalog.ts'
import { fastVisitOf } from '../../src/catalog/fast-visit.ts'
import { viewOf } from '../../src/catalog/view.ts'

const text = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody of ${name}.\n`

const source = (id: string, layer: Layer, skills: Readonly<Record<string, string>>): SkillSource =>
  memorySource({
    id,
    layer,
    skills: Object.fromEntries(Object.entries(skills).map(([name, manifest]) => [name, { 'SKILL.md': manifest }])),
  })

const codes = (catalog: { diagnostics: readonly { code: string }[] }): string[] =>
  catalog.diagnostics.map(({ code }) => code)

describe('buildCatalog', () => {
  it('[CAT-2] lists skills by name, in code-unit order whatever the order of the sources', async () => {
    const catalog = await buildCatalog({
      sources: [
        source('b', 'project', { zeta: text('zeta'), alpha: text('alpha') }),
        source('a', 'personal', { mid: text('mid') }),
      ],
    })
    expect(catalog.list().map(({ name }) => name)).toEqual(['alpha', 'mid', 'zeta'])
  })

  it('[CAT-2] gives SKILL_NOT_FOUND with the nearest names for an unknown one', async () => {
    const catalog = await buildCatalog({
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
    '[CAT-2] takes %j as just an unknown name',
    async (name) => {
      const catalog = await buildCatalog({ sources: [source('a', 'project', { pdf: text('pdf') })] })
      expect(catalog.has(name)).toBe(false)
      expect(() => catalog.get(name)).toThrow(expect.objectContaining({ code: 'SKILL_NOT_FOUND' }))
    },
  )

  it('[CAT-8] lists active skills only, and keeps the others apart', async () => {
    const catalog = await buildCatalog({
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
    const catalog = await buildCatalog({
      sources: [
        source('a', 'enterprise', { pdf: text('pdf', 'status: disabled\n') }),
        source('b', 'project', { pdf: text('pdf') }),
      ],
    })
    expect(catalog.get('pdf').source).toBe('b')
  })

  it('[DISC-3] loads all others where one is broken, and says what is wrong with it', async () => {
    const skills = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`skill-${n}`, text(`skill-${n}`)]))
    const catalog = await buildCatalog({
      sources: [source('a', 'project', { ...skills, broken: '---\nname: [\n---\n' })],
    })
    expect(catalog.list()).toHaveLength(49)
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({ severity: 'error', path: 'memory:a/broken/SKILL.md' }),
    ])
  })

  it('[DISC-3] loads the skills behind one whose source throws while it is read', async () => {
    const good = source('a', 'project', { one: text('one'), three: text('three'), two: text('two') })
    const failing: SkillSource = {
      ...good,
      scan: (visitor) =>
        good.scan({
          diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
          skill(found) {
            const head = (): never => {
              throw new Error('The disk is away.')
            }
            visitor.skill(found.folderName === 'three' ? { ...found, head } : found)
          },
        }),
    }
    const catalog = await buildCatalog({ sources: [failing] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['one', 'two'])
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({
        code: 'MANIFEST_UNREADABLE',
        path: 'memory:a/three/SKILL.md',
        message: expect.stringContaining('The disk is away.') as string,
      }),
    ])
  })

  it('[DISC-3] loads the other sources where one fails as a whole', async () => {
    const failing: SkillSource = {
      id: 'remote',
      layer: 'plugin',
      scan: () => Promise.reject(new Error('The server is away.')),
    }
    const catalog = await buildCatalog({ sources: [failing, source('a', 'project', { pdf: text('pdf') })] })
    expect(catalog.has('pdf')).toBe(true)
    expect(catalog.diagnostics).toEqual([
      expect.objectContaining({
        code: 'SOURCE_FAILED',
        path: 'remote',
        message: expect.stringContaining('The server is away.') as string,
      }),
    ])
  })

  it('[DISC-3] asks for what a source left for later when the diagnostics are asked for, and survives its failure', async () => {
    let asked = 0
    const late = (find: () => never): SkillSource => ({
      id: 'late',
      layer: 'project',
      scan: (visitor) => {
        fastVisitOf(visitor)!.later!(() => [
          { code: 'SKILL_KEPT', severity: 'info', path: `${++asked}`, message: 'Later.' },
        ])
        fastVisitOf(visitor)!.later!(find)
        return Promise.resolve()
      },
    })
    const failing = (): never => {
      throw new Error('no more')
    }
    const catalog = await buildCatalog({ sources: [late(failing), source('a', 'project', { pdf: text('pdf') })] })
    expect(catalog.list()).toHaveLength(1)
    expect(asked).toBe(0)
    expect(codes(catalog)).toEqual(['SKILL_KEPT', 'SOURCE_FAILED'])
    expect(catalog.diagnostics[1]?.message).toContain('no more')
    expect(asked).toBe(1)
  })

  it('[DISC-5] lets the higher layer win, whatever the priority', async () => {
    const sources = [
      source('bundled', 'bundled', { pdf: text('pdf', 'priority: 99\n') }),
      source('project', 'project', { pdf: text('pdf', 'priority: 50\n') }),
      source('enterprise', 'enterprise', { pdf: text('pdf') }),
    ]
    const catalog = await buildCatalog({ sources })
    expect(catalog.get('pdf').source).toBe('enterprise')
    expect(catalog.shadowed.map(({ skill, by }) => [skill.source, by.source])).toEqual([
      ['project', 'enterprise'],
      ['bundled', 'enterprise'],
    ])
  })

  it('[DISC-5] lets the higher priority win within a layer', async () => {
    const catalog = await buildCatalog({
      sources: [
        source('a', 'project', { pdf: text('pdf') }),
        source('b', 'project', { pdf: text('pdf', 'priority: 1\n') }),
      ],
    })
    expect(catalog.get('pdf').source).toBe('b')
  })

  it('[DISC-4] takes the order of the layers as an option', async () => {
    const sources = [
      source('personal', 'personal', { pdf: text('pdf') }),
      source('project', 'project', { pdf: text('pdf') }),
    ]
    expect((await buildCatalog({ sources })).get('pdf').source).toBe('personal')
    const layers: Layer[] = ['enterprise', 'project', 'personal', 'plugin', 'bundled']
    expect((await buildCatalog({ sources, layers })).get('pdf').source).toBe('project')
  })

  it('[DISC-4, ABUSE-19] puts the layers that the order leaves out behind it, as they are usually ordered', async () => {
    const sources = [
      source('p', 'project', { pdf: text('pdf', 'priority: 100\n') }),
      source('e', 'enterprise', { pdf: text('pdf') }),
      source('b', 'bundled', { pdf: text('pdf', 'priority: 200\n') }),
    ]
    const catalog = await buildCatalog({ sources, layers: ['personal'] })
    expect(catalog.get('pdf').layer).toBe('enterprise')
    const named = await buildCatalog({ sources, layers: ['bundled'] })
    expect(named.get('pdf').layer).toBe('bundled')
    expect(named.shadowed.map(({ skill }) => skill.layer)).toEqual(['enterprise', 'project'])
  })

  it('[DISC-6] takes the first of two equals by default, or the last, and names both paths', async () => {
    const sources = [source('a', 'project', { pdf: text('pdf') }), source('b', 'project', { pdf: text('pdf') })]
    const first = await buildCatalog({ sources })
    expect(first.get('pdf').source).toBe('a')
    expect(first.diagnostics).toEqual([
      expect.objectContaining({
        code: 'SKILL_SHADOWED',
        severity: 'warning',
        path: 'memory:b/pdf/SKILL.md',
        message: expect.stringContaining('memory:a/pdf/SKILL.md') as string,
      }),
    ])
    const last = await buildCatalog({ sources, collision: 'last' })
    expect(last.get('pdf').source).toBe('b')
    expect(codes(last)).toEqual(['SKILL_SHADOWED'])
  })

  it('[ABUSE-19] lets a project override no enterprise skill', async () => {
    const catalog = await buildCatalog({
      sources: [
        source('evil', 'project', { deploy: text('deploy', 'priority: 2147483647\nallowed-tools: Bash\n') }),
        source('corp', 'enterprise', { deploy: text('deploy', 'allowed-tools: Read\n') }),
      ],
    })
    expect(catalog.get('deploy').manifest.allowedTools).toEqual([{ tool: 'Read' }])
  })

  it('[CAT-1] reads no body: a folder is asked for nothing but the head of its manifest', async () => {
    const asked: number[] = []
    const head = new TextEncoder().encode(text('pdf'))
    const untouched = () => Promise.reject(new Error('read'))
    const lazy: SkillSource = {
      id: 'lazy',
      layer: 'project',
      scan: (visitor) => {
        visitor.skill({
          folder: { location: 'lazy:pdf', readManifest: untouched, list: untouched, read: untouched },
          folderName: 'pdf',
          path: 'lazy:pdf/SKILL.md',
          fileName: 'SKILL.md',
          size: 1_000_000,
          head: (length) => {
            asked.push(length)
            return head.subarray(0, length)
          },
        })
        return Promise.resolve()
      },
    }
    const catalog = await buildCatalog({ sources: [lazy] })
    expect(catalog.has('pdf')).toBe(true)
    expect(asked).toEqual([4096])
  })
})

describe('viewOf', () => {
  const catalog = () =>
    buildCatalog({
      sources: [
        source('a', 'project', {
          all: text('all'),
          coder: text('coder', 'scope:\n  agents: [coder]\n'),
          acme: text('acme', 'scope:\n  tenants: [acme]\n'),
          prod: text('prod', 'scope:\n  environments: [production]\n'),
        }),
      ],
    })
  const names = async (viewer: Parameters<typeof viewOf>[1]) =>
    viewOf(await catalog(), viewer)
      .list()
      .map(({ name }) => name)

  it('[CAT-5] shows all without an allowlist and with `*`, none with an empty one, and else those named', async () => {
    const everyone = { agent: 'coder', tenant: 'acme', environment: 'production' }
    expect(await names(everyone)).toEqual(['acme', 'all', 'coder', 'prod'])
    expect(await names({ ...everyone, skills: ['*'] })).toHaveLength(4)
    expect(await names({ ...everyone, skills: [] })).toEqual([])
    expect(await names({ ...everyone, skills: ['all', 'prod', 'unknown'] })).toEqual(['all', 'prod'])
  })

  it('[CAT-6] hides a skill from agents, tenants and environments that its scope does not name', async () => {
    expect(await names({})).toEqual(['all'])
    expect(await names({ agent: 'coder' })).toEqual(['all', 'coder'])
    expect(await names({ tenant: 'acme', agent: 'writer' })).toEqual(['acme', 'all'])
  })

  it('[CAT-5] finds no skill that it does not show', async () => {
    const view = viewOf(await catalog(), { skills: ['all'] })
    expect(view.find('all')?.name).toBe('all')
    expect(view.find('prod')).toBeUndefined()
    expect(view.find('constructor')).toBeUndefined()
  })
})
