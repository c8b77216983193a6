import { describe, expect, it } from 'vitest'
import { openRepertoire } from '../../src/index.ts'
import { resolveBudget } from '../../src/disclosure/budget.ts'

describe('resolveBudget', () => {
  it('[SHOW-7] gives 0.02 of 200,000 tokens where nothing is said', () => {
    expect(resolveBudget()?.tokens).toBe(4_000)
    expect(resolveBudget({ contextWindow: 32_000 })?.tokens).toBe(640)
    expect(resolveBudget({ share: 0.1 })?.tokens).toBe(20_000)
  })

  it('[SHOW-7] gives none for false', () => {
    expect(resolveBudget(false)).toBeUndefined()
  })

  it.each([
    [{ contextWindow: 0 }, 'contextWindow` is 0'],
    [{ contextWindow: Number.NaN }, 'contextWindow` is NaN'],
    [{ contextWindow: Infinity }, 'contextWindow` is Infinity'],
    [{ share: 0 }, 'share` is 0'],
    [{ share: 2 }, 'share` is 2'],
    [{ share: Number.NaN }, 'share` is NaN'],
    [null, '`listingBudget` is null'],
    [true, '`listingBudget` is true'],
    [4_000, '`listingBudget` is 4000'],
    [{ keep: 'pdf' }, '`listingBudget.keep` is "pdf"'],
    [{ keep: ['pdf', 1] }, '`listingBudget.keep[1]` is 1'],
    [{ share: '0.5' }, 'share` is "0.5"'],
    [{ countTokens: 5 }, 'countTokens` is 5'],
  ])('[SHOW-7] refuses %j with what to give instead', async (listingBudget, message) => {
    const opened = openRepertoire({ sources: [], listingBudget: listingBudget as never })
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(message)
  })

  it('[SHOW-7] refuses a counter that gives no number', () => {
    const { countTokens } = resolveBudget({ countTokens: () => Number.NaN })!
    expect(() => countTokens('a')).toThrow('countTokens` gave NaN')
  })
})
