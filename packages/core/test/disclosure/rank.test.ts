import { expect, it } from 'vitest'
import type { Layer } from '../../src/index.ts'
import { type RankedSkill, rankKeys, rankSkills } from '../../src/disclosure/rank.ts'

const skill = (name: string, layer: Layer = 'project', priority = 0): RankedSkill => ({
  name,
  layer,
  manifest: { priority },
})

const names = (skills: readonly RankedSkill[], settings: Parameters<typeof rankSkills>[1] = {}): readonly string[] =>
  Array.from(rankSkills(skills, settings), (index) => skills[index]!.name)

it("[SHOW-7] ranks by the host's list, then by priority, use and layer", () => {
  const skills = [
    skill('bundled', 'bundled'),
    skill('used', 'bundled'),
    skill('low', 'personal', -1),
    skill('high', 'bundled', 2 ** 52),
    skill('mine', 'personal'),
    skill('kept', 'bundled', -9),
    skill('kept-first', 'bundled'),
  ]
  const settings = {
    keep: ['kept-first', 'kept', 'kept-first'],
    used: new Set(['used']),
    layers: ['personal'] as const,
  }
  expect(names(skills, settings)).toEqual(['kept-first', 'kept', 'high', 'used', 'mine', 'bundled', 'low'])
})

it('[SHOW-7] orders equal skills neither by name nor by place, and the same in every list', () => {
  const skills = Array.from({ length: 200 }, (_, n) => skill(`skill-${String(n).padStart(3, '0')}`))
  const order = names(skills)
  expect(order.toSorted()).toEqual(skills.map(({ name }) => name))
  // Of neighbours in the alphabet about half come the other way round.
  const inOrder = order.filter((name, index) => index > 0 && order[index - 1]! < name).length
  expect(inOrder).toBeGreaterThan(80)
  expect(inOrder).toBeLessThan(120)
  const some = skills.filter((_, index) => index % 3 === 0).toReversed()
  expect(names(some)).toEqual(order.filter((name) => some.some((each) => each.name === name)))
})

it('[SHOW-7] ranks with keys that were made before as without', () => {
  const layers = ['project', 'bundled'] as const
  const skills = Array.from({ length: 50 }, (_, n) => skill(`skill-${n}`, layers[n % 3] ?? 'personal', n % 4))
  const keys = rankKeys(skills)
  for (const used of [[], ['skill-7'], ['skill-7', 'skill-40']])
    for (const keep of [[], ['skill-9']]) {
      const settings = { used: new Set(used), keep, layers }
      expect(rankSkills(skills, settings, keys)).toEqual(rankSkills(skills, settings))
    }
})
