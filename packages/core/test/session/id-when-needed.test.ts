import { afterEach, describe, expect, it, vi } from 'vitest'
import { memorySource } from '../../src/catalog/memory-source.ts'
import { openRepertoire, type Repertoire } from '../../src/repertoire/repertoire.ts'
import type { RepertoireOptions } from '../../src/repertoire/options.ts'
import type { Session } from '../../src/session/session.ts'

const HOST = ['Bash', 'Read']
const skills = { free: { 'SKILL.md': '---\nname: free\ndescription: Is free.\n---\nDo it.\n' } }

const open = (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills })], ...options })

/** The real one makes them, and is counted. */
const made = vi.spyOn(crypto, 'randomUUID')
afterEach(() => made.mockClear())

describe('the id of a session to which nobody gave one', () => {
  it('[NFR-5] is not made to show skills: it would load all cryptography first', async () => {
    const session = (await open({ policy: { allow: ['Read'] } })).openSession()
    await session.ready()
    expect(session.beginStep(HOST).instructions).toContain('free')
    expect(await session.reminder(() => false)).toBeUndefined()
    expect(session.resolvePath('a.md')).toBe('a.md')
    expect(made).not.toHaveBeenCalled()
  })

  it.each<[string, (session: Session) => unknown]>([
    ['the session', (session) => session.id],
    ['its state', (session) => session.state.id],
    ['its changes', (session) => session.takeChanges()[0]],
    ['what is saved', (session) => session.save()],
    ['what is written to JSON', (session) => JSON.stringify(session)],
    ['a copy', (session) => ({ ...session }).id],
  ])('[NFR-5] is one, whoever asks first: %s', async (_, ask) => {
    const repertoire = await open()
    const session = repertoire.openSession({ correlationId: 'case 7' })
    session.beginStep(HOST)
    expect(made).not.toHaveBeenCalled()
    ask(session)
    const { id } = session
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(session.state).toMatchObject({ id, correlationId: 'case 7' })
    expect(JSON.parse(JSON.stringify(session))).toEqual({ id })
    expect(repertoire.openSession({ saved: session.save() }).id).toBe(id)
    expect(made).toHaveBeenCalledTimes(1)
  })

  it('[NFR-5] opens the changes that are taken, and those only once', async () => {
    const repertoire = await open()
    const session = repertoire.openSession({ consent: () => true })
    session.beginStep(HOST)
    await session.call({ id: '1', tool: 'activate_skill', input: { name: 'free' } }, () => undefined)
    const changes = session.takeChanges()
    expect(changes.map(({ type }) => type)).toEqual(['opened', 'granted', 'activated'])
    expect(changes[0]).toEqual({ type: 'opened', id: session.id })
    expect(session.takeChanges()).toEqual([])
    const advanced = repertoire.advance(undefined, changes)
    expect(advanced && repertoire.openSession({ saved: advanced }).state).toEqual(session.state)
  })

  it('[NFR-5] is there for a session that is frozen, or behind a proxy', async () => {
    const repertoire = await open()
    const frozen = Object.freeze(repertoire.openSession())
    expect(frozen.id).toBe(frozen.state.id)
    const session = repertoire.openSession()
    const proxy = new Proxy(session, {})
    expect(proxy.id).toBe(session.state.id)
  })

  it.each([[false], [true]])('[NFR-5] is a property like one that was given, read before: %s', async (isRead) => {
    const repertoire = await open()
    const session = repertoire.openSession()
    const id = isRead ? session.id : undefined
    const tagged = new Proxy(session, {
      get: (target, key, receiver) =>
        key === 'id' ? `acme/${target.id}` : (Reflect.get(target, key, receiver) as unknown),
    })
    expect(tagged.id).toBe(`acme/${session.state.id}`)
    const derived: { id: string } = Object.create(isRead ? session : repertoire.openSession())
    derived.id = 'mine'
    expect(derived).toEqual({ id: 'mine' })
    expect(session.id).toBe(id ?? session.state.id)
    const given = repertoire.openSession({ id: 'given' })
    expect(Object.getOwnPropertyDescriptor(session, 'id')).toEqual({
      ...Object.getOwnPropertyDescriptor(given, 'id'),
      value: session.id,
    })
  })

  it('[SHOW-7] finds what its agent had used before it, however late it is made', async () => {
    const repertoire = await open({
      sources: [memorySource({ layer: 'project', skills: many })],
      style: 'section',
      listingBudget: { contextWindow: 300, share: 1, countTokens: (text) => text.length },
    })
    const dropped = (session: Session): readonly string[] => session.beginStep([]).cuts.dropped
    const late = repertoire.openSession()
    const first = dropped(late)
    const other = repertoire.openSession({ consent: () => true })
    other.beginStep([])
    await other.call({ id: '1', tool: 'activate_skill', input: { name: first[0] } }, () => undefined)
    expect(dropped(repertoire.openSession())).not.toContain(first[0])
    // Reopened, it is still the session that was opened before the use.
    expect(dropped(repertoire.openSession({ saved: late.save() }))).toEqual(first)
  })

  it('[OBS-1, NFR-5] is made at once for an audit', async () => {
    const events: string[] = []
    const repertoire = await open({ audit: { write: ({ session }) => void events.push(session) } })
    await repertoire.runTask({ consent: () => true }, async (session) => {
      session.beginStep(HOST)
      await session.call({ id: '1', tool: 'activate_skill', input: { name: 'free' } }, () => undefined)
      expect(made).toHaveBeenCalledTimes(1)
      events.push(session.id)
    })
    await repertoire.close()
    expect(events.length).toBeGreaterThan(1)
    expect(new Set(events).size).toBe(1)
  })
})

const many = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `skill-${n + 10}`,
    { 'SKILL.md': `---\nname: skill-${n + 10}\ndescription: Does ${n}.\n---\nDo it.\n` },
  ]),
)
