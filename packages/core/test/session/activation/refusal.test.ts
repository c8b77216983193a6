import { describe, expect, it } from 'vitest'
import { type SessionState, initialState } from '../../../src/adapter.ts'
import { type Activator, activationRefusal } from '../../../src/session/activation/refusal.ts'
import { activeSkill } from '../active-skill.ts'

interface Manifest {
  readonly userInvocable?: boolean
  readonly disableModelInvocation?: boolean
  readonly context?: 'inherit' | 'fork'
}

/** A session that many forks deep. */
const deep = (depth: number): SessionState => ({
  ...initialState('task'),
  active: Array.from({ length: depth }, (_, index) => activeSkill(`parent-${index}`, { forked: true })),
})

/** Why a skill whose manifest has these fields now is not activated. */
const refusalOf = (
  { userInvocable = true, disableModelInvocation = false, context = 'inherit' }: Manifest,
  activator: Activator,
  depth = 0,
) => {
  const manifest = { userInvocable, disableModelInvocation, context, type: 'instruction' as const }
  return activationRefusal({ skill: { name: 'pdf' }, manifest }, activator, deep(depth))?.refusal
}

const MODEL: Activator = { by: 'model', canFork: true }
const PERSON: Activator = { by: 'person', canFork: true }

describe('whether a skill may be activated', () => {
  it('[ACT-12] does not apply where the manifest says nothing', () => {
    expect(refusalOf({}, MODEL)).toBeUndefined()
    expect(refusalOf({}, PERSON)).toBeUndefined()
    expect(refusalOf({}, { by: 'model', canFork: false }, 9)).toBeUndefined()
  })

  it('[ACT-12] each of the two flags keeps one away and not the other', () => {
    expect(refusalOf({ userInvocable: false }, PERSON)).toEqual({
      code: 'SKILL_NOT_INVOCABLE',
      reason: 'The skill "pdf" was not activated: only a model may activate it, since it says "user-invocable: false".',
    })
    expect(refusalOf({ userInvocable: false }, MODEL)).toBeUndefined()
    expect(refusalOf({ disableModelInvocation: true }, MODEL)).toEqual({
      code: 'SKILL_BROKEN',
      reason:
        'The skill "pdf" was not activated: only a person may activate it, since it says "disable-model-invocation" now. Go on without it.',
    })
    expect(refusalOf({ disableModelInvocation: true }, PERSON)).toBeUndefined()
  })

  it('[ACT-10] a fork needs something that runs it, and nests three deep', () => {
    for (const activator of [MODEL, PERSON]) {
      for (const depth of [0, 1, 2]) expect(refusalOf({ context: 'fork' }, activator, depth)).toBeUndefined()
      for (const depth of [3, 4]) {
        expect(refusalOf({ context: 'fork' }, activator, depth)).toEqual({
          code: 'FORK_TOO_DEEP',
          reason:
            'The skill "pdf" was not run: it runs in a sub-agent of its own, and these nest at most 3 deep. Do its work here, without it.',
        })
      }
    }
    expect(refusalOf({ context: 'fork' }, { by: 'model', canFork: false })).toEqual({
      code: 'FORK_UNAVAILABLE',
      reason:
        'The skill "pdf" was not run: it runs in a sub-agent of its own, and there is nothing here that runs one. Go on without it.',
    })
  })
})
