import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ListedSkill, estimateTokens } from '../../src/index.ts'
import { isCertainlyCut } from '../../src/disclosure/certainly-cut.ts'
import { fitList } from '../../src/disclosure/fit.ts'
import type { FitOptions } from '../../src/disclosure/fit-options.ts'
import { createFitMemory } from '../../src/disclosure/fit-memory.ts'
import { lineEntry, lineList, listedDescription } from '../../src/disclosure/listing.ts'
import { runs } from '../runs.ts'

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

/** A thousand skills, and a budget that says how many characters were counted by our own estimate so far. */
function thousand() {
  let characters = 0
  const countTokens = (text: string): number => {
    characters += text.length
    return estimateTokens(text)
  }
  const options = {
    skills: Array.from({ length: 1_000 }, (_, n) => ({
      name: `skill-${n}`,
      path: `/skills/skill-${n}/SKILL.md`,
      manifest: { description: `Handles case ${n}. ${'Use it where it fits. '.repeat(10)}` },
    })),
    budget: { tokens: 4_000, countTokens, additive: true },
    details: ['locations'],
    text: lineList,
    entryText: lineEntry,
  } as const satisfies FitOptions
  return { options, counted: () => characters }
}

it('[NFR-5] counts of a thousand skills little more than what is shown, and for another rank what is new', () => {
  for (const describedOnly of [true, false]) {
    const { options, counted } = thousand()
    const memory = createFitMemory(1_000)
    const first = fitList({ ...options, describedOnly, memory })
    const shown = lineList(first.entries, 1_000 - first.entries.length).length
    expect(first.cuts.tokens).toBeGreaterThan(3_900)
    expect(counted()).toBeLessThan(1.1 * shown)
    const before = counted()
    // One of the last has become the first.
    const rank = (): Uint32Array =>
      Uint32Array.from([990, ...Array.from({ length: 999 }, (_, n) => n + (n < 990 ? 0 : 1))])
    const next = fitList({ ...options, describedOnly, memory, rank })
    expect(next.entries.at(-1)!.name).toBe('skill-990')
    expect(counted() - before).toBeLessThan(0.1 * shown)
    expect(next).toEqual(fitList({ ...thousand().options, describedOnly, rank }))
  }
})

it('[NFR-5] knows by the words of some that not all descriptions fit, and counts nothing for it', () => {
  const { options, counted } = thousand()
  expect(isCertainlyCut(options)).toBe(true)
  expect(counted()).toBe(0)
  // Nothing is certain of how a host counts.
  expect(isCertainlyCut({ ...options, budget: { ...options.budget, additive: false } })).toBe(false)
})

it('[SHOW-7] no list that fits is taken for one that is certainly cut, and of plain text no other', () => {
  const plain = fc.constantFrom('the', 'documents', 'use', 'extraction')
  const odd = fc.constantFrom(
    "don't",
    '12345',
    '<b>',
    'über',
    '数据分析。',
    '—',
    '!!!',
    '\n',
    '  ',
    '\u200B',
    'é',
    '😀',
  )
  const text = (words: fc.Arbitrary<string>) => fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))
  const textsOf = (words: fc.Arbitrary<string>) => fc.array(text(words), { minLength: 1, maxLength: 12 })
  const given = fc.oneof(
    fc.record({ texts: textsOf(plain), isPlain: fc.constant(true) }),
    fc.record({ texts: textsOf(fc.oneof(plain, odd)), isPlain: fc.constant(false) }),
  )
  fc.assert(
    fc.property(given, fc.integer({ min: -8, max: 8 }), ({ texts, isPlain }, more) => {
      const few = texts.map((description, n) => ({ name: `s${n}`, path: `/s${n}.md`, manifest: { description } }))
      const all = few.map(({ name, manifest }) => ({ name, description: listedDescription(manifest) }))
      const tokens = Math.max(1, estimateTokens(lineList(all, 0)) + more)
      const budget = { tokens, countTokens: estimateTokens, additive: true }
      const isCut = isCertainlyCut({ skills: few, budget, details: ['locations'], entryText: lineEntry })
      if (more >= 0) expect(isCut).toBe(false)
      // Where most tokens are marks and names, it is not worth knowing.
      const hasWords = texts.every((each) => each.split(' ').length > 8)
      if (isPlain && hasWords && more < -1) expect(isCut).toBe(true)
    }),
    { numRuns: runs(2_000) },
  )
})
