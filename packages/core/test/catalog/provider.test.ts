import { describe, expect, it } from 'vitest'
import { type SkillProvider, getSkillItems, memorySource, openRepertoire } from '../../src/index.ts'

const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${fields}---\nSecret body.\n`

const opened = () =>
  openRepertoire({
    sources: [
      memorySource({
        layer: 'project',
        id: 'here',
        skills: {
          b: { 'SKILL.md': manifest('b') },
          a: { 'SKILL.md': manifest('a') },
          scoped: { 'SKILL.md': manifest('scoped', 'scope:\n  agents: [coder]\n') },
          people: { 'SKILL.md': manifest('people', 'disable-model-invocation: true\n') },
        },
      }),
    ],
  })

describe('a skill provider', () => {
  it('[CAT-7] returns no items and no error if there is no provider', async () => {
    expect(await getSkillItems(undefined)).toEqual([])
    expect(await getSkillItems(undefined, { query: 'pdf', limit: 3 })).toEqual([])
  })

  it('[CAT-7] returns the metadata of visible skills, by name, and never a body', async () => {
    const repertoire = await opened()
    const items = await getSkillItems(repertoire.provider())
    expect(items).toEqual([
      { id: '["here","memory:here/a"]', name: 'a', description: 'Does a.', location: 'memory:here/a' },
      { id: '["here","memory:here/b"]', name: 'b', description: 'Does b.', location: 'memory:here/b' },
    ])
    const coder = await getSkillItems(repertoire.provider({ viewer: { agent: 'coder', skills: ['b', 'scoped'] } }))
    expect(coder.map(({ name }) => name)).toEqual(['b', 'scoped'])
  })

  it('[CAT-7] returns the first items up to the limit', async () => {
    const provider = (await opened()).provider()
    expect((await getSkillItems(provider, { limit: 1 })).map(({ name }) => name)).toEqual(['a'])
    expect(await getSkillItems(provider, { limit: 0 })).toEqual([])
    await expect(getSkillItems(provider, { limit: -1 })).rejects.toThrow('`limit` is -1')
  })

  it('[CAT-7] rethrows a provider’s error, and the reason of an aborted signal', async () => {
    const failing: SkillProvider = { items: () => Promise.reject(new Error('The index is away.')) }
    await expect(getSkillItems(failing)).rejects.toThrow('The index is away.')
    const signal = AbortSignal.abort(new Error('Enough.'))
    await expect(getSkillItems((await opened()).provider(), { signal })).rejects.toThrow('Enough.')
    await expect(getSkillItems(undefined, { signal })).rejects.toThrow('Enough.')
  })

  it('[CAT-7] returns the current skills at every request', async () => {
    const skills: Record<string, Record<string, string>> = { a: { 'SKILL.md': manifest('a') } }
    const source = { id: 'here', layer: 'project' } as const
    const repertoire = await openRepertoire({
      sources: [{ ...source, scan: () => memorySource({ ...source, skills }).scan() }],
    })
    const provider = repertoire.provider()
    expect(await getSkillItems(provider)).toHaveLength(1)
    skills['b'] = { 'SKILL.md': manifest('b') }
    await repertoire.reload({ force: true })
    expect(await getSkillItems(provider)).toHaveLength(2)
  })
})
