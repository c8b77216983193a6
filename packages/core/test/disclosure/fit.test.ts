import { expect, it } from 'vitest'
import { fitList } from '../../src/disclosure/fit.ts'
import type { FitOptions } from '../../src/disclosure/fit-options.ts'
import { lineEntry, lineList, type ListedSkill } from '../../src/disclosure/listing.ts'

const skills: readonly ListedSkill[] = ['a', 'b'].map((name) => ({
  name,
  path: `/skills/${name}/SKILL.md`,
  manifest: { description: 'x'.repeat(400) },
}))

/** The lengths of the descriptions in a list that has room for so many characters; undefined for a name alone. */
function lengthsIn(tokens: number, options: Partial<FitOptions> = {}): readonly (number | undefined)[] {
  const budget = { tokens, countTokens: (text: string) => text.length }
  const { entries, cuts } = fitList({
    skills,
    budget,
    details: ['locations'],
    text: lineList,
    entryText: lineEntry,
    ...options,
  })
  if (entries.length > 0) expect(cuts.tokens).toBe(lineList(entries, skills.length - entries.length).length)
  return entries.map(({ description }) => description?.length)
}

const lines = (...lengths: readonly number[]): number =>
  lineList(
    lengths.map((length) => ({ name: 'a', ...(length > 0 && { description: 'x'.repeat(length) }) })),
    0,
  ).length

it('[SHOW-7] a description is shortened to 120 characters and no further: then it is left out', () => {
  expect(lengthsIn(lines(121, 121))).toEqual([121, 121])
  expect(lengthsIn(lines(120, 120))).toEqual([120, 120])
  expect(lengthsIn(lines(120, 120) - 1)).toEqual([120, undefined])
  expect(lengthsIn(lines(120, 0) - 1)).toEqual([undefined, undefined])
})

it('[SHOW-7] locations go before a word of any description', () => {
  const withPaths = lengthsIn(10_000)
  expect(withPaths).toEqual([400, 400])
  expect(lengthsIn(lines(400, 400))).toEqual([400, 400])
  expect(lengthsIn(lines(400, 400) - 1)).toEqual([399, 399])
})

it('[SHOW-7] where a list is of described skills only, one is dropped before another loses its description', () => {
  const note = lineList([], 1).length
  expect(lengthsIn(lines(120, 120) - 1, { describedOnly: true })).toEqual([120])
  expect(lengthsIn(lines(0, 0) + note, { describedOnly: true })).toEqual([])
})

it('[SHOW-7] what is cut last is what the rank says', () => {
  const kept = fitList({
    skills,
    rank: () => Uint32Array.of(1, 0),
    budget: { tokens: lines(120, 120) - 1, countTokens: (text) => text.length },
    text: lineList,
    entryText: lineEntry,
  })
  expect(kept.cuts).toMatchObject({ shortened: ['b'], withoutDescription: ['a'], dropped: [] })
  expect(kept.ranked).toBe(true)
})
