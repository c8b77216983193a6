import { describe, expect, it } from 'vitest'
import type { SealedChanges, SessionChange } from '../../../src/adapter.ts'
import { sealChanges, unsealChanges } from '../../../src/session/state/seal.ts'
import { foreign } from '../../foreign.ts'

const changes: readonly SessionChange[] = [
  { type: 'granted', grant: { skill: 'pdf', source: 's', digest: 'd' } },
  { type: 'answered', id: 'q', approved: false, reason: 'no' },
]

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reordered(inner)]))
}

describe('sealed changes', () => {
  it.each([undefined, 'key'])(
    '[ACT-15] are read back as they were, under the key %j, in any order of their keys',
    (key) => {
      const sealed = sealChanges('task', changes, key)
      expect(unsealChanges(JSON.parse(JSON.stringify(sealed)) as SealedChanges, key)).toEqual(changes)
      expect(unsealChanges(reordered(sealed) as SealedChanges, key)).toEqual(changes)
      expect(sealChanges('task', [], key).seal).not.toBe(sealed.seal)
      expect(sealChanges('task', [foreign({ type: 'later', value: null })], key).seal).toMatch(/^[\da-f]{64}$/)
    },
  )

  it('[ACT-15, ABUSE-96] are refused where anything of them was changed, left out or put in another order', () => {
    const sealed = sealChanges('task', changes, 'key')
    const other = sealChanges('task', changes, 'other')
    for (const tampered of [
      { ...sealed, session: 'another' },
      { ...sealed, changes: changes.slice(1) },
      { ...sealed, changes: changes.toReversed() },
      { ...sealed, changes: [changes[0], { ...changes[1], approved: true }] },
      { ...sealed, seal: other.seal },
      { ...sealed, seal: sealed.seal.slice(1) },
      { ...sealed, seal: `${sealed.seal}0` },
      { ...sealed, seal: '' },
      { ...sealed, seal: undefined },
      { ...sealed, seal: [sealed.seal] },
    ]) {
      expect(() => unsealChanges(foreign(tampered), 'key')).toThrow(
        'The changes of a session were modified after they were saved, or were sealed with another stateKey. Open a new session instead.',
      )
    }
    expect(() => unsealChanges(sealed)).toThrow(expect.objectContaining({ code: 'STATE_TAMPERED' }))
    expect(() => unsealChanges(sealChanges('task', changes), 'key')).toThrow(
      expect.objectContaining({ code: 'STATE_TAMPERED' }),
    )
  })

  it('[ACT-15, ABUSE-96] are what the seal is over, also where a value writes itself as something else', () => {
    const sealed = sealChanges('task', [{ type: 'ended' }], 'key')
    const forged = Object.assign([...changes], { toJSON: () => sealed.changes })
    expect(unsealChanges({ ...sealed, changes: forged }, 'key')).toEqual([{ type: 'ended' }])
  })

  it('[ACT-15, ABUSE-96] are refused by name where they are nothing that could have been sealed', () => {
    const circle: unknown[] = []
    circle.push(circle)
    for (const unsealable of [
      circle,
      [1n],
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ]) {
      const sealed = foreign({ session: 'task', changes: unsealable, seal: 'ab' })
      expect(() => unsealChanges(sealed)).toThrow(expect.objectContaining({ code: 'STATE_TAMPERED' }))
    }
  })
})
