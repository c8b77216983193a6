import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreign, runs } from '@repertoire/test-servers/properties'
import { openAdapterSession } from '../../src/adapter.ts'
import { isSkillError, openRepertoire } from '../../src/index.ts'

const TYPES = ['opened', 'asked', 'answered', 'settled', 'granted', 'activated', 'deactivated', 'ended', 'later']

it('[ACT-15, ADPT-2, ABUSE-96] returns a session or throws a known error, whatever a framework returns as changes', async () => {
  const repertoire = await openRepertoire({ sources: [] })
  const advance = (before: unknown, changes: unknown): unknown => repertoire.advance(foreign(before), foreign(changes))
  const saved = openAdapterSession(repertoire, { id: 'task' }).save()
  const part = fc.anything({ maxDepth: 2 })
  const change = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...TYPES), part),
      id: fc.oneof(fc.constant('task'), part),
      request: part,
      grant: part,
      skill: part,
      name: part,
      approved: part,
    },
    { requiredKeys: [] },
  )
  const list = fc.array(fc.oneof(change, part), { maxLength: 4 })
  const sealed = fc.record({ session: part, changes: fc.oneof(list, part), seal: fc.oneof(fc.string(), part) })
  const own = fc.record({ session: fc.constant('task'), changes: list }).map(({ session, changes }) => {
    try {
      return repertoire.sealChanges(session, foreign(changes))
    } catch {
      return changes
    }
  })
  let failed = 0
  fc.assert(
    fc.property(fc.constantFrom(undefined, saved), fc.oneof(list, sealed, own, part), (before, update) => {
      try {
        advance(before, update)
      } catch (error) {
        failed++
        expect(isSkillError(error) ? error.code : error).toMatch(/^STATE_(?:INVALID|TAMPERED)$/)
      }
    }),
    { numRuns: runs(500) },
  )
  expect(failed).toBeGreaterThan(runs(100))
})

it('[ACT-15, ADPT-2] says what is wrong with an invalid change, and where', async () => {
  const repertoire = await openRepertoire({ sources: [] })
  const session = openAdapterSession(repertoire, { id: 'task' })
  const changes = foreign([...session.takeChanges(), { type: 'activated' }])
  for (const update of [changes, repertoire.sealChanges('task', changes)]) {
    expect(() => repertoire.advance(undefined, update)).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID', message: expect.stringContaining('changes[1].skill') }),
    )
  }
})
