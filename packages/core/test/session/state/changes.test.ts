import { describe, expect, it } from 'vitest'
import {
  type ActiveSkill,
  type SessionChange,
  type SessionState,
  applyChange,
  initialState,
} from '../../../src/session/state/state.ts'

const skill = (name: string, more: Partial<ActiveSkill> = {}): ActiveSkill => ({
  name,
  layer: 'project',
  source: 's',
  location: `/skills/${name}`,
  digest: 'd',
  scripts: [],
  ...more,
})

const after = (...changes: readonly SessionChange[]): SessionState => changes.reduce(applyChange, initialState('task'))

describe('a change', () => {
  it('[OBS-1, ACT-7] leaves an ended session what its events are found by, and nothing else', () => {
    const begun = { ...initialState('task'), correlationId: 'one' }
    const active = applyChange(begun, { type: 'activated', skill: skill('a') })
    const ended = applyChange(active, { type: 'ended' })
    expect(ended).toEqual({ ...initialState('task'), correlationId: 'one', ended: true })
    expect('correlationId' in after({ type: 'ended' })).toBe(false)
  })

  it('[ASK-5] opens a consent request once, and removes it when its call is carried out', () => {
    const asked = (id: string): SessionChange => ({ type: 'asked', request: { id, callId: `call-${id}` } })
    const state = after(asked('q'), asked('r'), { type: 'asked', request: { id: 'q', callId: 'another' } })
    expect(state.open).toEqual([
      { id: 'q', callId: 'call-q' },
      { id: 'r', callId: 'call-r' },
    ])
    const answered = applyChange(state, { type: 'answered', id: 'r', approved: true })
    expect(answered.open).toEqual([
      { id: 'q', callId: 'call-q' },
      { id: 'r', callId: 'call-r', approved: true },
    ])
    expect(applyChange(answered, { type: 'settled', id: 'q' }).open).toEqual([answered.open[1]])
  })

  it('[OBS-6] counts steps upwards only, so that those of concurrent calls are counted once', () => {
    expect(after({ type: 'stepped', steps: 2 }, { type: 'stepped', steps: 1 }).steps).toBe(2)
    expect(after({ type: 'stepped', steps: 0 })).toEqual(initialState('task'))
  })

  it('[ASK-5] keeps the first answer if it is a yes, too', () => {
    const state = after(
      { type: 'asked', request: { id: 'q', callId: 'c' } },
      { type: 'answered', id: 'q', approved: true },
      { type: 'answered', id: 'q', approved: false, reason: 'changed my mind' },
    )
    expect(state.open).toEqual([{ id: 'q', callId: 'c', approved: true }])
  })

  it('[ASK-1] keeps one grant for one content, and the newest thousand of them', () => {
    const granted = (digest: string): SessionChange => ({
      type: 'granted',
      grant: { skill: 'a', source: 's', digest },
    })
    expect(after(granted('d'), granted('d')).granted).toHaveLength(1)
    expect(after(granted('d'), granted('e')).granted).toHaveLength(2)
    const many = after(...Array.from({ length: 1_001 }, (_, index) => granted(`d${index}`)))
    expect(many.granted).toHaveLength(1_000)
    expect([many.granted[0]!.digest, many.granted.at(-1)!.digest]).toEqual(['d1', 'd1000'])
  })

  it('[ACT-6] keeps the first of two activations of one skill', () => {
    const state = after(
      { type: 'activated', skill: skill('a', { digest: 'first' }) },
      { type: 'activated', skill: skill('a', { digest: 'second' }) },
      { type: 'activated', skill: skill('b') },
    )
    expect(state.active.map(({ name, digest }) => [name, digest])).toEqual([
      ['a', 'first'],
      ['b', 'd'],
    ])
  })
})

it.each(['skill', 'source', 'digest'] as const)(
  '[ASK-2] a grant is for other content where its %s differs',
  (field) => {
    const granted = (more: object): SessionChange => ({
      type: 'granted',
      grant: { skill: 'a', source: 's', digest: 'd', ...more },
    })
    expect(after(granted({}), granted({})).granted).toHaveLength(1)
    expect(after(granted({}), granted({ [field]: 'x' })).granted).toHaveLength(2)
  },
)
