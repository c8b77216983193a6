import { describe, expect, it } from 'vitest'
import type { FoundSkill, SkillVisitor } from '../../src/index.ts'
import { fastVisitOf, offerFastVisit, visitorOfPart } from '../../src/catalog/fast-visit.ts'
import type { FastVisit } from '../../src/catalog/fast-visit.ts'

const FOUND = { folderName: 'pdf', path: 'memory:m/pdf/SKILL.md' } as FoundSkill

function visitorOf(fast?: FastVisit): { readonly visitor: SkillVisitor; readonly shown: FoundSkill[] } {
  const shown: FoundSkill[] = []
  const visitor: SkillVisitor = { skill: (found) => shown.push(found), diagnostic: () => {} }
  return { visitor: fast === undefined ? visitor : offerFastVisit(visitor, fast), shown }
}

describe('the fast path of a visitor', () => {
  it('[NFR-3] is not that of a visitor which copies or wraps it, so that neither is bypassed', () => {
    const fast: FastVisit = { skill: () => expect.unreachable() }
    const { visitor } = visitorOf(fast)
    expect(fastVisitOf(visitor)).toBe(fast)
    expect(fastVisitOf({ ...visitor })).toBeUndefined()
    expect(fastVisitOf(Object.create(visitor) as SkillVisitor)).toBeUndefined()
  })

  it('[NFR-3] takes the candidates of a part, which keep their own places', () => {
    const calls: unknown[] = []
    const ofPart = visitorOfPart(
      visitorOf({ skill: (...call) => calls.push(call), later: () => {} }).visitor,
      'kit@1.0.0',
    )
    const fast = fastVisitOf(ofPart)!
    fast.skill(FOUND, { location: () => '', path: () => '', folder: () => expect.unreachable() })
    expect(calls).toEqual([[{ ...FOUND, part: 'kit@1.0.0' }]])
    expect(Object.keys(fast)).toEqual(['skill'])
  })

  it('[NFR-3] is absent for a part where its source has none', () => {
    const { visitor, shown } = visitorOf()
    const ofPart = visitorOfPart(visitor, 'kit')
    expect(fastVisitOf(ofPart)).toBeUndefined()
    ofPart.skill(FOUND)
    expect(shown).toEqual([{ ...FOUND, part: 'kit' }])
  })
})
