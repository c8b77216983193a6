import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { largest } from '../../src/disclosure/largest.ts'
import { runs } from '../runs.ts'

it('[SHOW-7] finds the largest number that fits, wherever the search begins', () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.nat(300),
      fc.integer(),
      fc.integer({ min: -5, max: 400 }),
      (min, more, border, guess) => {
        const max = min + more
        const fits = (count: number): boolean => count <= border
        expect(largest({ min, max, guess }, fits)).toBe(Math.min(Math.max(min, border), max))
      },
    ),
    { numRuns: runs(2_000) },
  )
})

it('[SHOW-7] tries few numbers where the guess is near, and one where it is trusted', () => {
  const triedFrom = (guess: number, trusted = false): number => {
    let tried = 0
    largest({ min: 0, max: 100_000, guess, trusted }, (count) => {
      tried++
      return count <= 50_000
    })
    return tried
  }
  expect(triedFrom(50_000)).toBe(2)
  expect(triedFrom(50_000, true)).toBe(1)
  expect(triedFrom(50_001)).toBe(2)
  expect(triedFrom(49_990)).toBeLessThan(9)
  expect(triedFrom(1)).toBeLessThan(40)
})
