import { describe, expect, it } from 'vitest'
import { type Activator, activationRefusal } from '../../../src/session/activation/refusal.ts'
import type { InspectedSkill } from '../../../src/session/activation/inspect.ts'
import { type ActiveSkill, initialState, type SessionState } from '../../../src/session/state/state.ts'

interface Said {
  readonly userInvocable?: boolean
  readonly disableModelInvocation?: boolean
  readonly context?: 'fork'
}

/** A skill whose manifest says this now. */
const skill = ({ userInvocable = true, disableModelInvocation = false, context }: Said): InspectedSkill =>
  ({
    skill: { name: 'pdf' },
    manifest: { userInvocable, disableModelInvocation, ...(context !== undefined && { context }) },
  }) as unknown as InspectedSkill

const forked: ActiveSkill = {
  name: 'above',
  layer: 'project',
  source: 's',
  location: '/skills/above',
  digest: 'd',
  scripts: [],
  forked: true,
}

/** A session that many forks deep. */
const deep = (depth: number): SessionState => ({
  ...initialState('task'),
  active: Array.from({ length: depth }, (_, index) => ({ ...forked, name: `above-${index}` })),
})

const objection = (said: Said, activator: Activator, depth = 0) =>
  activationRefusal(skill(said), activator, deep(depth))?.refusal

const MODEL: Activator = { by: 'model', forks: true }
const PERSON: Activator = { by: 'person', forks: true }

describe('whether a skill may be activated', () => {
  it('[ACT-12] is nobody’s question where the manifest says nothing', () => {
    expect(objection({}, MODEL)).toBeUndefined()
    expect(objection({}, PERSON)).toBeUndefined()
    expect(objection({}, { by: 'model', forks: false }, 9)).toBeUndefined()
  })

  it('[ACT-12] each of the two flags keeps one away and not the other', () => {
    expect(objection({ userInvocable: false }, PERSON)).toEqual({
      code: 'SKILL_NOT_INVOCABLE',
      reason:
        'The skill "pdf" was not activated: it is not for a person to activate, by its own "user-invocable: false". A model may.',
    })
    expect(objection({ userInvocable: false }, MODEL)).toBeUndefined()
    expect(objection({ disableModelInvocation: true }, MODEL)).toEqual({
      code: 'SKILL_BROKEN',
      reason:
        'The skill "pdf" was not activated: only a person may activate it, by its own "disable-model-invocation" now. Go on without it.',
    })
    expect(objection({ disableModelInvocation: true }, PERSON)).toBeUndefined()
  })

  it('[ACT-10] a fork needs something that runs it, and nests three deep', () => {
    for (const activator of [MODEL, PERSON]) {
      for (const depth of [0, 1, 2]) expect(objection({ context: 'fork' }, activator, depth)).toBeUndefined()
      for (const depth of [3, 4]) {
        expect(objection({ context: 'fork' }, activator, depth)).toEqual({
          code: 'FORK_TOO_DEEP',
          reason:
            'The skill "pdf" was not run: it runs in a sub-agent of its own, and these nest at most 3 deep. Do its work here, without it.',
        })
      }
    }
    expect(objection({ context: 'fork' }, { by: 'model', forks: false })).toEqual({
      code: 'FORK_UNAVAILABLE',
      reason:
        'The skill "pdf" was not run: it runs in a sub-agent of its own, and there is nothing here that runs one. Go on without it.',
    })
  })
})
