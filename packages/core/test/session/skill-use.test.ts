import { describe, expect, it } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../src/index.ts'

const NAMES = Array.from({ length: 40 }, (_, n) => `skill-${String(n).padStart(2, '0')}`)
const skills = Object.fromEntries(
  NAMES.map((name) => [name, { 'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n` }]),
)

const open = () =>
  openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    listing: { style: 'section', budget: { share: 1 } },
    context: { window: 300, countTokens: (text) => text.length, summaries: false },
  })

async function use(session: AdapterSession, name: string): Promise<void> {
  await (await session.step({ tools: [] })).call({ id: name, tool: 'activate_skill', input: { name } }, () => '')
}

const droppedIn = async (session: AdapterSession): Promise<readonly string[]> =>
  (await session.step({ tools: [] })).cuts.dropped

describe('what was used before', () => {
  it('[SHOW-7] is cut later in the next session of the agent, and changes no list of this one', async () => {
    const repertoire = await open()
    const session = openAdapterSession(repertoire, { agent: 'writer', consent: () => true })
    const before = (await session.step({ tools: [] })).instructions
    const [name] = await droppedIn(session)
    await use(session, name!)
    expect((await session.step({ tools: [] })).instructions).toBe(before)
    // A framework may open a session for every call.
    const again = openAdapterSession(repertoire, { agent: 'writer', saved: session.save() })
    expect((await again.step({ tools: [] })).instructions).toBe(before)
    expect(await droppedIn(openAdapterSession(repertoire, { agent: 'writer' }))).not.toContain(name)
    expect(repertoire.explain(name!, { viewer: { agent: 'writer' } }).verdict).toBe('shown')
  })

  it('[SHOW-7, ABUSE-103] has no effect for another agent, tenant or environment', async () => {
    const repertoire = await open()
    const session = openAdapterSession(repertoire, { agent: 'writer', tenant: 'a', consent: () => true })
    const [name] = await droppedIn(session)
    await use(session, name!)
    expect(await droppedIn(openAdapterSession(repertoire, { agent: 'writer', tenant: 'b' }))).toContain(name)
    expect(await droppedIn(openAdapterSession(repertoire, { agent: 'coder', tenant: 'a' }))).toContain(name)
    expect(
      await droppedIn(openAdapterSession(repertoire, { agent: 'writer', tenant: 'a', environment: 'x' })),
    ).toContain(name)
    expect(await droppedIn(openAdapterSession(repertoire, { agent: 'writer', tenant: 'a' }))).not.toContain(name)
  })

  it('[SHOW-7, ABUSE-103] has no effect for another tenant with a session of the same id', async () => {
    const repertoire = await open()
    const session = openAdapterSession(repertoire, { id: '1', tenant: 'a', consent: () => true })
    const [name] = await droppedIn(session)
    await use(session, name!)
    const unused = await droppedIn(session)
    expect(await droppedIn(openAdapterSession(repertoire, { id: '2', tenant: 'a' }))).not.toContain(name)
    expect(await droppedIn(openAdapterSession(repertoire, { id: '2', tenant: 'b' }))).toEqual(unused)
    // And each tenant's session stays what it was, in whatever order they are opened.
    expect(await droppedIn(openAdapterSession(repertoire, { id: '1', tenant: 'b' }))).toEqual(unused)
    expect(await droppedIn(openAdapterSession(repertoire, { id: '2', tenant: 'a' }))).not.toContain(name)
    expect(await droppedIn(openAdapterSession(repertoire, { id: '1', tenant: 'a' }))).toEqual(unused)
  })

  it('[SHOW-7, NFR-6] makes no list again where many tenants that see the same skills take turns', async () => {
    const repertoire = await open()
    const tenants = Array.from({ length: 30 }, (_, n) => `tenant-${n}`)
    for (const [n, tenant] of tenants.entries()) {
      await use(openAdapterSession(repertoire, { tenant, consent: () => true }), NAMES[n]!)
    }
    const cutsOf = async (tenant: string) =>
      (await openAdapterSession(repertoire, { id: 'task', tenant }).step({ tools: [] })).cuts
    const first = await Promise.all(tenants.map(cutsOf))
    expect(new Set(first).size).toBe(tenants.length)
    const again = await Promise.all(tenants.map(cutsOf))
    expect(again.filter((cuts, at) => cuts !== first[at])).toEqual([])
  })
})
