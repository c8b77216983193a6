import { describe, expect, it } from 'vitest'
import { type Session, memorySource, openRepertoire } from '../../src/index.ts'
import { createSkillUses } from '../../src/session/step/skill-use.ts'

const NAMES = Array.from({ length: 40 }, (_, n) => `skill-${String(n).padStart(2, '0')}`)
const skills = Object.fromEntries(
  NAMES.map((name) => [name, { 'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n` }]),
)

const open = () =>
  openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    style: 'section',
    listingBudget: { contextWindow: 300, share: 1, countTokens: (text) => text.length },
  })

async function use(session: Session, name: string): Promise<void> {
  session.beginStep([])
  await session.call({ id: name, tool: 'activate_skill', input: { name } }, () => '')
  session.beginStep([])
}

const droppedIn = (session: Session): readonly string[] => session.beginStep([]).cuts.dropped

describe('what was used before', () => {
  it('[SHOW-7] is cut later in the next session of the agent, and changes no list of this one', async () => {
    const repertoire = await open()
    const session = repertoire.openSession({ agent: 'writer', consent: () => true })
    const before = session.beginStep([]).instructions
    const [name] = droppedIn(session)
    await use(session, name!)
    expect(session.beginStep([]).instructions).toBe(before)
    // A framework may open a session for every call.
    const again = repertoire.openSession({ agent: 'writer', saved: session.save() })
    expect(again.beginStep([]).instructions).toBe(before)
    expect(droppedIn(repertoire.openSession({ agent: 'writer' }))).not.toContain(name)
    expect(repertoire.explain(name!, { agent: 'writer' }).verdict).toBe('shown')
  })

  it('[SHOW-7, ABUSE-103] is nothing to another agent, tenant or environment', async () => {
    const repertoire = await open()
    const session = repertoire.openSession({ agent: 'writer', tenant: 'a', consent: () => true })
    const [name] = droppedIn(session)
    await use(session, name!)
    expect(droppedIn(repertoire.openSession({ agent: 'writer', tenant: 'b' }))).toContain(name)
    expect(droppedIn(repertoire.openSession({ agent: 'coder', tenant: 'a' }))).toContain(name)
    expect(droppedIn(repertoire.openSession({ agent: 'writer', tenant: 'a', environment: 'x' }))).toContain(name)
    expect(droppedIn(repertoire.openSession({ agent: 'writer', tenant: 'a' }))).not.toContain(name)
  })

  it('[SHOW-7, ABUSE-103] is nothing to another tenant with a session of the same id', async () => {
    const repertoire = await open()
    const session = repertoire.openSession({ id: '1', tenant: 'a', consent: () => true })
    const [name] = droppedIn(session)
    await use(session, name!)
    const unused = droppedIn(session)
    expect(droppedIn(repertoire.openSession({ id: '2', tenant: 'a' }))).not.toContain(name)
    expect(droppedIn(repertoire.openSession({ id: '2', tenant: 'b' }))).toEqual(unused)
    // And each tenant's session stays what it was, in whatever order they are opened.
    expect(droppedIn(repertoire.openSession({ id: '1', tenant: 'b' }))).toEqual(unused)
    expect(droppedIn(repertoire.openSession({ id: '2', tenant: 'a' }))).not.toContain(name)
    expect(droppedIn(repertoire.openSession({ id: '1', tenant: 'a' }))).toEqual(unused)
  })

  it('[SHOW-7, NFR-6] makes no list again where many tenants that see the same skills take turns', async () => {
    const repertoire = await open()
    const tenants = Array.from({ length: 30 }, (_, n) => `tenant-${n}`)
    for (const [n, tenant] of tenants.entries()) {
      await use(repertoire.openSession({ tenant, consent: () => true }), NAMES[n]!)
    }
    const cutsOfAll = () => tenants.map((tenant) => repertoire.openSession({ id: 'task', tenant }).beginStep([]).cuts)
    const first = cutsOfAll()
    expect(new Set(first).size).toBe(tenants.length)
    const again = cutsOfAll()
    expect(again.filter((cuts, at) => cuts !== first[at])).toEqual([])
  })

  it('[SHOW-7] stays what it was when a session was opened, whatever is used after that', () => {
    const uses = createSkillUses()
    const first = uses.open('first', {})
    first.record('a')
    const second = uses.open('second', {})
    second.record('b')
    const third = uses.open('third', {})
    const seenBy = ({ before }: typeof first) => ['a', 'b', 'c'].filter((name) => before.has(name))
    expect([first, second, third].map(seenBy)).toEqual([[], ['a'], ['a', 'b']])
    expect([first, second, third].map(({ before }) => before.size)).toEqual([0, 1, 2])
  })

  it('[SHOW-7] is remembered of so many agents, sessions and names, and no more', () => {
    const uses = createSkillUses()
    uses.open('first', { agent: 'first' }).record('a')
    for (let n = 0; n < 64; n++) uses.open(`${n}`, { agent: `${n}` }).record('a')
    expect(uses.of({ agent: 'first' }).size).toBe(0)
    const one = uses.open('one', { agent: '63' })
    for (let n = 0; n < 1_500; n++) one.record(`${n}`)
    expect(uses.of({ agent: '63' }).size).toBe(1_000)
    expect(one.before.size).toBe(1)
    // The same set where nothing is new: lists are remembered by it.
    one.record('0')
    expect(uses.of({ agent: '63' })).toBe(uses.open('two', { agent: '63' }).before)
  })
})
