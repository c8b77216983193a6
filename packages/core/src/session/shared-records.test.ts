// An algorithm without its own entry point, tested beside its source.
import { describe, expect, it } from 'vitest'
import { createSkillUses } from './shared-records.ts'

describe('what an agent has used before', () => {
  it('[SHOW-7] stays what it was when the session was opened, whatever is used after that', () => {
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

  it('[SHOW-7] is remembered for 64 agents and 1,000 names of each', () => {
    const uses = createSkillUses()
    uses.open('first', { agent: 'first' }).record('a')
    for (let n = 0; n < 64; n++) uses.open(`${n}`, { agent: `${n}` }).record('a')
    expect(uses.of({ agent: 'first' }).size).toBe(0)
    const one = uses.open('one', { agent: '63' })
    for (let n = 0; n < 1_500; n++) one.record(`${n}`)
    expect(uses.of({ agent: '63' }).size).toBe(1_000)
    expect(one.before.size).toBe(1)
    // The same set if nothing is new: lists are remembered by it.
    one.record('0')
    expect(uses.of({ agent: '63' })).toBe(uses.open('two', { agent: '63' }).before)
  })
})
