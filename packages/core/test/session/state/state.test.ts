import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { savedOf } from './saved-world.ts'
import { openRepertoire, type SavedSession } from '../../../src/index.ts'
import {
  type ActiveSkill,
  applyChange,
  initialState,
  type SessionChange,
  type SessionState,
} from '../../../src/session/state/state.ts'
import { openAdapterSession } from '../../../src/adapter.ts'

const repertoire = await openRepertoire({ sources: [] })

const skill = (name: string): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/skills/${name}`,
  digest: 'd',
  scripts: [],
})

const names = fc.constantFrom('alpha', 'beta', 'gamma')
const ids = fc.constantFrom('q1', 'q2', 'q3')
const changes: fc.Arbitrary<SessionChange> = fc.oneof(
  names.map((name): SessionChange => ({ type: 'activated', skill: skill(name) })),
  names.map((name): SessionChange => ({ type: 'deactivated', name })),
  names.map((name): SessionChange => ({ type: 'granted', grant: { skill: name, source: 's', digest: 'd' } })),
  ids.map((id): SessionChange => ({ type: 'asked', request: { id, callId: `call-${id}` } })),
  fc.tuple(ids, fc.boolean()).map(([id, approved]): SessionChange => ({ type: 'answered', id, approved })),
  ids.map((id): SessionChange => ({ type: 'settled', id })),
  ids.map((digest): SessionChange => ({
    type: 'summarized',
    summary: { text: 'Short.', covers: 3, digest, shown: 0 },
  })),
  ids.map((digest): SessionChange => ({ type: 'forgotten', digest })),
)

const run = (list: readonly SessionChange[]): SessionState => list.reduce(applyChange, initialState('task'))

describe('the state of a session after changes', () => {
  it('[ACT-15] keeps the state a JSON value, over which the session goes on', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 40 }), (list) => {
        const saved = savedOf(run(list))
        const resumed = openAdapterSession(repertoire, { saved: JSON.parse(JSON.stringify(saved)) as SavedSession })
        expect(resumed.state).toEqual(run(list))
      }),
    )
  })

  it('[GATE-5] is idempotent: the same change twice in a row is the same as once', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 40 }), changes, (list, change) => {
        const once = applyChange(run(list), change)
        expect(applyChange(once, change)).toEqual(once)
      }),
    )
  })

  it('[ACT-6] never holds a skill twice, and only the one that is named leaves', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 40 }), (list) => {
        let state = initialState('task')
        for (const change of list) {
          const before = state.active.map(({ name }) => name)
          state = applyChange(state, change)
          const after = state.active.map(({ name }) => name)
          expect(new Set(after).size).toBe(after.length)
          if (change.type === 'deactivated') expect(after).toEqual(before.filter((name) => name !== change.name))
          else expect(after.slice(0, before.length)).toEqual(before)
          if (after.length > before.length) expect(after.slice(0, -1)).toEqual(before)
        }
      }),
    )
  })

  it('[ACT-7] clears everything at the end, and nothing happens after it', () => {
    fc.assert(
      fc.property(fc.array(changes), fc.array(changes), (before, after) => {
        const ended = applyChange(run(before), { type: 'ended' })
        expect(ended).toEqual({ ...initialState('task'), ended: true })
        expect(after.reduce(applyChange, ended)).toEqual(ended)
      }),
    )
  })

  it('[ASK-5] keeps the first answer to a consent request', () => {
    const asked = run([
      { type: 'asked', request: { id: 'q1', callId: 'c' } },
      { type: 'answered', id: 'q1', approved: false, reason: 'no' },
      { type: 'answered', id: 'q1', approved: true },
    ])
    expect(asked.open).toEqual([{ id: 'q1', callId: 'c', approved: false, reason: 'no' }])
  })

  it('[ASK-5] records no answer to a consent request that is not open', () => {
    expect(run([{ type: 'answered', id: 'q9', approved: true }]).open).toEqual([])
  })

  it('[ACT-15] bounds the open consent requests: the oldest is dropped', () => {
    const many = Array.from({ length: 70 }, (_, n): SessionChange => ({
      type: 'asked',
      request: { id: `q${n}`, callId: `c${n}` },
    }))
    const { open } = run(many)
    expect(open).toHaveLength(64)
    expect(open[0]?.id).toBe('q6')
  })
})
