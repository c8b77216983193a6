import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRepertoire, type SavedSession } from '../../../src/index.ts'
import { type ActiveSkill, openAdapterSession, type SessionState } from '../../../src/adapter.ts'
import { applyChange, initialState, type SessionChange } from '../../../src/session/state/state.ts'
import { savedOf } from './saved-world.ts'

const repertoire = await openRepertoire({ sources: [], sessionSecret: 'key' })

const skill = fc.constantFrom('a', 'b', 'c', 'd').map((name): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/s/${name}`,
  digest: `d-${name}`,
  rules: [{ tool: name }],
  scripts: [],
}))
const id = fc.constantFrom('q1', 'q2', 'q3')
const change: fc.Arbitrary<SessionChange> = fc.oneof(
  skill.map((each) => ({ type: 'activated' as const, skill: each })),
  skill.map(({ name }) => ({ type: 'deactivated' as const, name })),
  skill.map(({ name, digest }) => ({ type: 'granted' as const, grant: { skill: name, source: 's', digest } })),
  id.map((each) => ({ type: 'asked' as const, request: { id: each, callId: each } })),
  fc.tuple(id, fc.boolean()).map(([each, approved]) => ({ type: 'answered' as const, id: each, approved })),
  id.map((each) => ({ type: 'settled' as const, id: each })),
  id.map((each) => ({ type: 'used' as const, id: each })),
  fc.nat(3).map((steps) => ({ type: 'stepped' as const, steps })),
  id.map((digest) => ({ type: 'summarized' as const, summary: { text: 'Short.', covers: 3, digest } })),
)
const changes = fc.array(change, { maxLength: 6 })

/** What both branches began with, and each branch. */
const branches = fc.tuple(changes, changes, changes).map(([before, first, second]) => {
  const base = before.reduce(applyChange, initialState('task'))
  return { base, one: first.reduce(applyChange, base), other: second.reduce(applyChange, base) }
})

const saved = (state: SessionState): SavedSession => savedOf(state, 'key')

function merge(base: SessionState, one: SessionState, other: SessionState): SessionState {
  return repertoire.mergeSaved(saved(base), saved(one), saved(other)).state
}

const names = ({ active }: SessionState) => active.map(({ name }) => name)

describe('two branches of a session', () => {
  it('[ACT-15] are what one of them is if nothing has happened in the other', () => {
    fc.assert(
      fc.property(branches, ({ base, one }) => {
        expect(merge(base, one, base)).toEqual(saved(one).state)
        expect(merge(base, base, one)).toEqual(saved(one).state)
        expect(merge(base, one, one)).toEqual(saved(one).state)
      }),
    )
  })

  it('[ACT-15, GATE-6] lift no restriction that neither has lifted, and activate nothing that neither has activated', () => {
    fc.assert(
      fc.property(branches, ({ base, one, other }) => {
        const merged = names(merge(base, one, other))
        for (const name of names(base))
          expect(merged.includes(name)).toBe(names(one).includes(name) && names(other).includes(name))
        for (const name of merged) expect([...names(one), ...names(other)]).toContain(name)
        expect(new Set(merged).size).toBe(merged.length)
      }),
    )
  })

  it('[ASK-1, ASK-5] have the grants of both, none else, and each request once', () => {
    fc.assert(
      fc.property(branches, ({ base, one, other }) => {
        const merged = merge(base, one, other)
        const digests = ({ granted }: SessionState) => granted.map(({ digest }) => digest).toSorted()
        expect(digests(merged)).toEqual([...new Set([...digests(one), ...digests(other)])].toSorted())
        const open = merged.open.map((request) => request.id)
        expect(new Set(open).size).toBe(open.length)
        for (const each of open)
          expect([one, other].flatMap((state) => state.open).map((request) => request.id)).toContain(each)
      }),
    )
  })

  it('[ASK-5] keep an answer that one of them has', () => {
    fc.assert(
      fc.property(branches, ({ base, one, other }) => {
        const { open } = merge(base, one, other)
        for (const request of one.open.filter(({ approved }) => approved !== undefined)) {
          const there = open.find((each) => each.id === request.id)
          if (there !== undefined) expect(there.approved).toBeDefined()
        }
      }),
    )
  })

  it('[ASK-3, ASK-5] keep a no of one of them, whatever the other has answered', () => {
    const answered = (approved: boolean) => ({ ...initialState('task'), open: [{ id: 'q', callId: 'q', approved }] })
    const base = { ...initialState('task'), open: [{ id: 'q', callId: 'q' }] }
    for (const [one, other] of [
      [true, false],
      [false, true],
    ] as const)
      expect(merge(base, answered(one), answered(other)).open).toMatchObject([{ approved: false }])
    expect(merge(base, answered(true), answered(true)).open).toMatchObject([{ approved: true }])
  })

  it('[ACT-15, ADPT-2] of no session yet have what both have activated, in order', () => {
    const one = saved({ ...initialState('task'), active: [fc.sample(skill, 1)[0]!] })
    expect(repertoire.mergeSaved(undefined, undefined, one)).toEqual(one)
    const [a, b] = ['a', 'b'].map((name) => ({ ...one.state.active[0]!, name }))
    const [first, second] = [a!, b!].map((active) => saved({ ...initialState('task'), active: [active] }))
    expect(names(repertoire.mergeSaved(undefined, first, second!).state)).toEqual(['a', 'b'])
  })

  it('[ACT-7] have ended if one has', () => {
    fc.assert(
      fc.property(branches, ({ base, one, other }) => {
        const ended = applyChange(one, { type: 'ended' })
        expect(merge(base, ended, other).ended).toBe(true)
        expect(merge(base, other, ended)).toEqual(ended)
      }),
    )
  })

  it('[ACT-8, ABUSE-96] are merged only if they are of one session, and as they were saved', () => {
    const [one, other] = ['one', 'two'].map((name) => savedOf({ id: name }, 'key'))
    const tenants = savedOf({ id: 'one', tenant: 'other', granted: [{ skill: 'a', source: 's', digest: 'd' }] }, 'key')
    for (const base of [undefined, one])
      for (const foreign of [other!, tenants]) expect(repertoire.mergeSaved(base, one, foreign)).toBe(one)
    const forged = { ...one!, state: { ...one!.state, granted: [{ skill: 'a', source: 's', digest: 'd' }] } }
    for (const [mine, theirs] of [
      [undefined, forged],
      [forged, savedOf({ id: 'one', steps: 1 }, 'key')],
      [one, savedOf({ id: 'one' }, 'another key')],
    ] as const)
      expect(() => repertoire.mergeSaved(undefined, mine, theirs)).toThrow(
        expect.objectContaining({ code: 'STATE_TAMPERED' }),
      )
  })

  it('[ADPT-2] go on as one session', () => {
    const opened = openAdapterSession(repertoire, { id: 'task' }).save()
    const merged = repertoire.mergeSaved(opened, opened, savedOf({ steps: 2 }, 'key'))
    expect(openAdapterSession(repertoire, { saved: merged }).state.steps).toBe(2)
  })
})
