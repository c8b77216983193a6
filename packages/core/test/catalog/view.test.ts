import { describe, expect, it } from 'vitest'
import { memorySource } from '../../src/index.ts'
import { buildCatalog } from '../../src/catalog/catalog.ts'
import { rulesHiding, viewOf, viewsOf } from '../../src/catalog/view.ts'

const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: A skill.\n${fields}---\nBody.\n`
const skills = {
  open: { 'SKILL.md': manifest('open') },
  coder: { 'SKILL.md': manifest('coder', 'scope:\n  agents: [coder]\n') },
  tenant: { 'SKILL.md': manifest('tenant', 'scope:\n  tenants: [acme]\n') },
}

const catalog = await buildCatalog({ sources: [memorySource({ layer: 'project', skills })] })

describe('views', () => {
  it('[CAT-5, CAT-6] tell every viewer its own, though they are kept', () => {
    const viewFor = viewsOf(catalog)
    const seen = (viewer: Parameters<typeof viewFor>[0]): readonly string[] =>
      viewFor(viewer)
        .list()
        .map(({ name }) => name)
    for (let round = 0; round < 2; round++) {
      expect(seen({})).toEqual(['open'])
      expect(seen({ agent: 'coder' })).toEqual(['coder', 'open'])
      expect(seen({ tenant: 'coder' })).toEqual(['open'])
      expect(seen({ tenant: 'acme' })).toEqual(['open', 'tenant'])
      expect(seen({ agent: 'coder', skills: ['coder'] })).toEqual(['coder'])
      expect(seen({ agent: 'coder', skills: [] })).toEqual([])
      expect(seen({ agent: 'coder', tenant: 'acme', skills: ['*'] })).toEqual(['coder', 'open', 'tenant'])
      for (let n = 0; n < 40; n++) expect(seen({ agent: `other-${n}` })).toEqual(['open'])
    }
  })

  it('[CAT-5] are the same object for the same viewer, and find what they list and nothing else', () => {
    const viewFor = viewsOf(catalog)
    const view = viewFor({ agent: 'coder' })
    expect(viewFor({ agent: 'coder' })).toBe(view)
    expect(view.find('coder')?.name).toBe('coder')
    for (const name of ['tenant', 'constructor', '__proto__', '']) expect(view.find(name)).toBeUndefined()
  })

  it('[CAT-5, NFR-5] are one list for all who see every skill', () => {
    const all = { agent: 'coder', tenant: 'acme' }
    expect(viewOf(catalog, all).list()).toBe(catalog.list())
    expect(viewOf(catalog, { ...all, skills: ['*'] }).list()).toBe(catalog.list())
    expect(viewOf(catalog, { ...all, skills: ['open'] }).list()).toHaveLength(1)
  })

  it('[CAT-5, NFR-1] are kept for the 16 viewers that looked last', () => {
    const viewFor = viewsOf(catalog)
    const agent = (index: number) => viewFor({ agent: `agent-${index}` })
    const [first, second] = [agent(0), agent(1)]
    for (let index = 2; index < 16; index++) agent(index)
    expect(agent(0)).toBe(first)
    agent(16)
    expect(agent(0)).toBe(first)
    expect(agent(1)).not.toBe(second)
  })

  it.each(['agents', 'tenants', 'environments'])('[CAT-6] takes "*" in scope.%s as everyone', async (part) => {
    const scoped = { open: { 'SKILL.md': manifest('open', `scope:\n  ${part}: ['*']\n`) } }
    const index = await buildCatalog({ sources: [memorySource({ layer: 'project', skills: scoped })] })
    for (const viewer of [{}, { agent: 'any', tenant: 'any', environment: 'any' }]) {
      expect(viewOf(index, viewer).list()).toHaveLength(1)
      expect(rulesHiding(index.get('open'), viewer)).toEqual([])
    }
  })
})
