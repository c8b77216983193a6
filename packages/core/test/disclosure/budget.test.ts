import { describe, expect, it } from 'vitest'
import { settleBudget } from '../../src/disclosure/budget.ts'

describe('settleBudget', () => {
  it('[SHOW-7] gives 0.02 of 200,000 tokens where nothing is said', () => {
    expect(settleBudget()?.tokens).toBe(4_000)
    expect(settleBudget({ contextWindow: 32_000 })?.tokens).toBe(640)
    expect(settleBudget({ share: 0.1 })?.tokens).toBe(20_000)
  })

  it('[SHOW-7] gives none for false', () => {
    expect(settleBudget(false)).toBeUndefined()
  })

  it.each([
    [{ contextWindow: 0 }, 'contextWindow` is 0'],
    [{ contextWindow: Number.NaN }, 'contextWindow` is NaN'],
    [{ contextWindow: Infinity }, 'contextWindow` is Infinity'],
    [{ share: 0 }, 'share` is 0'],
    [{ share: 2 }, 'share` is 2'],
    [{ share: Number.NaN }, 'share` is NaN'],
  ])('[SHOW-7] refuses %j with what to give instead', (budget, message) => {
    expect(() => settleBudget(budget)).toThrow(TypeError)
    expect(() => settleBudget(budget)).toThrow(message)
  })

  it.each([
    [null, '`listingBudget` is null'],
    [true, '`listingBudget` is true'],
    [4_000, '`listingBudget` is 4000'],
    [{ share: '0.5' }, 'share` is 0.5'],
    [{ countTokens: 5 }, 'countTokens` is 5'],
  ])('[SHOW-7] refuses %j of a caller without types', (budget, message) => {
    expect(() => settleBudget(budget as never)).toThrow(TypeError)
    expect(() => settleBudget(budget as never)).toThrow(message)
  })

  it('[SHOW-7] refuses a counter that gives no number', () => {
    const { countTokens } = settleBudget({ countTokens: () => Number.NaN })!
    expect(() => countTokens('a')).toThrow('countTokens` gave NaN')
  })
})
