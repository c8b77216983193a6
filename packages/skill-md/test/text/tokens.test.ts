import { expect, it } from 'vitest'
import { estimateTokens } from '../../src/internal.ts'

it('[NFR-5] estimates words, marks and letters of several alphabets', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('one two three, four.')).toBe(6)
  expect(estimateTokens('技能 한국어 обзор')).toBe(5)
})

it('[NFR-5] a long text with a letter beyond ASCII in every word takes no longer for each of them', () => {
  // Looking through the whole text at each word would take minutes.
  const words = 'não é über überã '
  expect(estimateTokens(words.repeat(30_000))).toBe(30_000 * estimateTokens(words))
})
