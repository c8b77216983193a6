// An algorithm without an entry point of its own, tested beside its source.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ActiveSkill, type SessionChange, applyChange, initialState } from '../../../src/adapter.ts'
import { stateDifference, createStateHolder } from '../../../src/session/state/holder.ts'

const skill = (name: string, args?: string): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/skills/${name}`,
  digest: 'd',
  scripts: [],
  args,
})

const name = fc.constantFrom('a', 'b', 'c')
const id = fc.constantFrom('q', 'r', 's')
const change: fc.Arbitrary<SessionChange> = fc.oneof(
  fc.record({ name, args: fc.constantFrom(undefined, 'x') }).map((given) => ({
    type: 'activated' as const,
    skill: skill(given.name, given.args),
  })),
  fc.record({ type: fc.constant('deactivated' as const), name }),
  fc.record({ type: fc.constant('matched' as const), names: fc.array(name, { maxLength: 2 }) }),
  fc.record({ id, callId: id }).map((request) => ({ type: 'asked' as const, request })),
  fc.record({ id, callId: id, digest: id }).map((request) => ({
    type: 'asked' as const,
    request: { ...request, about: 'skill' as const },
  })),
  fc.nat(3).map((steps) => ({ type: 'stepped' as const, steps })),
  fc.constant({ type: 'guided' as const }),
  fc.record({ id, approved: fc.boolean(), reason: fc.constantFrom('no', 'yes') }).map((given) => ({
    type: 'answered' as const,
    ...given,
  })),
  fc.record({ type: fc.constant('settled' as const), id }),
  fc.record({ type: fc.constant('used' as const), id }),
  id.map((digest) => ({ type: 'summarized' as const, summary: { text: 'Short.', covers: 3, digest } })),
  id.map((digest) => ({ type: 'forgotten' as const, digest })),
  fc.nat(2).map((version) => ({ type: 'stored' as const, mark: { tenant: 'n', version, expires: 5 } })),
  name.map((digest) => ({ type: 'granted' as const, grant: { skill: 'a', source: 's', digest } })),
)
const changes = fc.array(change, { maxLength: 40 })
const ending = fc.constantFrom<readonly SessionChange[]>(
  [],
  [],
  [],
  [{ type: 'ended' }],
  [{ type: 'ended' }, { type: 'stored', mark: { tenant: 'n', version: 2, expires: 5 } }],
)

describe('the difference of two states of a session', () => {
  it('[ACT-15] leads from the one to the other, whatever happened between them', () => {
    fc.assert(
      fc.property(changes, changes, ending, (first, then, end) => {
        const before = first.reduce(applyChange, initialState('task'))
        const after = [...then, ...end].reduce(applyChange, before)
        expect(stateDifference(before, after).reduce(applyChange, before)).toEqual(after)
      }),
    )
  })

  it('[ACT-15] is empty where nothing has changed in the end', () => {
    const before = applyChange(initialState('task'), { type: 'activated', skill: skill('a') })
    const after = [
      { type: 'activated', skill: skill('b') } as const,
      { type: 'deactivated', name: 'b' } as const,
    ].reduce(applyChange, before)
    expect(stateDifference(before, after)).toEqual([])
  })
})

describe('changes that no framework takes', () => {
  it('[ACT-15] do not grow with the age of a session, and still begin with its opening', () => {
    const opened: SessionChange = { type: 'opened', id: 'task' }
    const holder = createStateHolder({ state: initialState('task'), changes: [opened] })
    holder.apply({ type: 'activated', skill: skill('base') })
    for (let n = 0; n < 5_000; n++) {
      holder.apply({ type: 'asked', request: { id: `q${n}`, callId: 'c' } })
      holder.apply({ type: 'settled', id: `q${n}` })
      holder.apply({ type: 'activated', skill: skill('a', `${n}`) })
      if (n < 4_999) holder.apply({ type: 'deactivated', name: 'a' })
    }
    const taken = holder.takeChanges()
    expect(taken.length).toBeLessThan(1_100)
    expect(taken[0]).toEqual(opened)
    expect(taken.reduce(applyChange, initialState('task'))).toEqual(holder.current())
    expect(holder.takeChanges()).toEqual([])
  })
})
