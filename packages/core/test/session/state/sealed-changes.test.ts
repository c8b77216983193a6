import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openRepertoire } from '../../../src/index.ts'
import type { SessionChange } from '../../../src/adapter.ts'
import { reordered } from './saved-world.ts'

const changes: readonly SessionChange[] = [
  { type: 'opened', id: 'task' },
  { type: 'granted', grant: { skill: 'pdf', source: 's', digest: 'd' } },
  { type: 'asked', request: { id: 'q', callId: 'c' } },
  { type: 'answered', id: 'q', approved: false, reason: 'no' },
]
const granted = [{ skill: 'pdf', source: 's', digest: 'd' }]
const open = [{ id: 'q', callId: 'c', approved: false, reason: 'no' }]

/** What seals changes with a key, and reads them again. */
async function sealing(sessionSecret?: string) {
  const repertoire = await openRepertoire({ sources: [], sessionSecret })
  const read = (sealed: unknown) => repertoire.advance(undefined, foreign(sealed))?.state
  return { seal: repertoire.sealChanges, read }
}
const [unkeyed, keyed, otherKey] = [await sealing(), await sealing('key'), await sealing('other')]

describe('sealed changes', () => {
  it('[ACT-15] are read back as they were, with a key and without, in any order of their keys', () => {
    for (const { seal, read } of [unkeyed, keyed]) {
      const sealed = seal('task', changes)
      expect(read(JSON.parse(JSON.stringify(sealed)))).toMatchObject({ granted, open })
      expect(read(reordered(sealed))).toMatchObject({ granted, open })
      expect(seal('task', []).seal).not.toBe(sealed.seal)
      expect(seal('task', [foreign({ type: 'later', value: null })]).seal).toMatch(/^[\da-f]{64}$/)
    }
  })

  it('[ACT-15, ABUSE-96] are refused where anything of them was changed, left out or put in another order', () => {
    const sealed = keyed.seal('task', changes)
    const other = otherKey.seal('task', changes)
    for (const tampered of [
      { ...sealed, session: 'another' },
      { ...sealed, changes: changes.slice(1) },
      { ...sealed, changes: changes.toReversed() },
      { ...sealed, changes: [...changes.slice(0, 3), { ...changes[3], approved: true }] },
      { ...sealed, seal: other.seal },
      { ...sealed, seal: sealed.seal.slice(1) },
      { ...sealed, seal: `${sealed.seal}0` },
      { ...sealed, seal: '' },
      { ...sealed, seal: undefined },
      { ...sealed, seal: [sealed.seal] },
    ]) {
      expect(() => keyed.read(tampered)).toThrow(
        'The changes of a session were modified after they were saved, or were sealed with another sessionSecret. Open a new session instead.',
      )
    }
    expect(() => unkeyed.read(sealed)).toThrow(expect.objectContaining({ code: 'STATE_TAMPERED' }))
    expect(() => keyed.read(unkeyed.seal('task', changes))).toThrow(expect.objectContaining({ code: 'STATE_TAMPERED' }))
  })

  it('[ACT-15, ABUSE-96] are what the seal is over, also where a value writes itself as something else', () => {
    const sealed = keyed.seal('task', [changes[0]!, { type: 'ended' }])
    const forged = Object.assign([...changes], { toJSON: () => sealed.changes })
    expect(keyed.read({ ...sealed, changes: forged })).toMatchObject({ ended: true, granted: [] })
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
      const sealed = { session: 'task', changes: unsealable, seal: 'ab' }
      expect(() => unkeyed.read(sealed)).toThrow(expect.objectContaining({ code: 'STATE_TAMPERED' }))
    }
  })
})
