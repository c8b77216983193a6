import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ActiveSkill,
  type SessionChange,
  type SessionState,
  applyChange,
  initialState,
} from '../../../src/adapter.ts'

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
  id.map((digest) => ({ type: 'summarized' as const, summary: { text: 'Short.', covers: 3, digest } })),
  id.map((digest) => ({ type: 'forgotten' as const, digest })),
)
const base = fc.array(change, { maxLength: 8 }).map((changes) => changes.reduce(applyChange, initialState('task')))
/** What calls that ran side by side did, and in which order it is merged: which call is next. */
const sides = fc.tuple(
  fc.array(fc.array(change, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  fc.array(fc.nat(3), { maxLength: 30 }),
)

/** Merges the changes of several calls in some order that keeps each call's own. */
function merged(
  start: SessionState,
  calls: readonly (readonly SessionChange[])[],
  order: readonly number[],
): SessionState {
  const queues = calls.map((changes) => [...changes])
  const picked = [...order, ...calls.flatMap((changes, index) => changes.map(() => index))]
  return picked.reduce((state, index) => {
    const next = queues[index % queues.length]?.shift()
    return next === undefined ? state : applyChange(state, next)
  }, start)
}

describe('changes of calls that ran side by side', () => {
  it('[ACT-15, GATE-6] lift no restriction that no call lifted, in whatever order they are merged', () => {
    fc.assert(
      fc.property(base, sides, (start, [calls, order]) => {
        const left = new Set(calls.flat().flatMap((each) => (each.type === 'deactivated' ? [each.name] : [])))
        const after = merged(start, calls, order).active.map(({ name }) => name)
        for (const { name } of start.active) if (!left.has(name)) expect(after).toContain(name)
      }),
    )
  })

  it('[ASK-1, ASK-5] give no consent, and activate nothing, that no call gave or activated', () => {
    fc.assert(
      fc.property(base, sides, (start, [calls, order]) => {
        const state = merged(start, calls, order)
        const given = [start.granted, calls.flat().flatMap((each) => (each.type === 'granted' ? [each.grant] : []))]
        expect(given.flat()).toEqual(expect.arrayContaining([...state.granted]))
        const active = [start.active, calls.flat().flatMap((each) => (each.type === 'activated' ? [each.skill] : []))]
        expect(active.flat()).toEqual(expect.arrayContaining([...state.active]))
      }),
    )
  })

  it('[ASK-5] answer a consent request as its first answer did', () => {
    fc.assert(
      fc.property(base, sides, (start, [calls, order]) => {
        const settled = new Set(calls.flat().flatMap((each) => (each.type === 'settled' ? [each.id] : [])))
        const state = merged(start, calls, order)
        for (const { id: open, approved } of start.open) {
          if (approved === undefined || settled.has(open)) continue
          expect(state.open.find((each) => each.id === open)?.approved).toBe(approved)
        }
      }),
    )
  })

  it('[ACT-6] hold every skill once, and stay as they are where a change is applied twice', () => {
    fc.assert(
      fc.property(base, change, (start, each) => {
        const once = applyChange(start, each)
        expect(new Set(once.active.map(({ name }) => name)).size).toBe(once.active.length)
        expect(applyChange(once, each)).toEqual(once)
      }),
    )
  })

  it('[ACT-7] change nothing after the end', () => {
    fc.assert(
      fc.property(base, sides, (start, [calls, order]) => {
        const ended = applyChange(start, { type: 'ended' })
        expect(merged(ended, calls, order)).toEqual({ ...initialState('task'), ended: true })
      }),
    )
  })
})
