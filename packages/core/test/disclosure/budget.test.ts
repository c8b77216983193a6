import { describe, expect, it } from 'vitest'
import { openRepertoire } from '../../src/index.ts'
import { listOf, skill } from '../tools/listed-skills.ts'

const tokensOf = async (budget?: Parameters<typeof listOf>[2]) =>
  (await listOf([skill('a')], 'xml', budget)).cuts.budget

describe('the budget of a list', () => {
  it('[SHOW-7] is 0.02 of 200,000 tokens by default', async () => {
    expect(await tokensOf()).toBe(4_000)
    expect(await tokensOf({ window: 32_000 })).toBe(640)
    expect(await tokensOf({ share: 0.1 })).toBe(20_000)
  })

  it('[SHOW-7] is absent for false', async () => {
    expect(await tokensOf(false)).toBeUndefined()
  })

  it.each([
    [{ share: 0 }, 'share` is 0'],
    [{ share: 2 }, 'share` is 2'],
    [{ share: Number.NaN }, 'share` is NaN'],
    [null, '`listing.budget` is null'],
    [true, '`listing.budget` is true'],
    [4_000, '`listing.budget` is 4000'],
    [{ keep: 'pdf' }, '`listing.budget.keep` is "pdf"'],
    [{ keep: ['pdf', 1] }, '`listing.budget.keep[1]` is 1'],
    [{ share: '0.5' }, 'share` is "0.5"'],
  ])('[SHOW-7] refuses %j with what to give instead', async (listingBudget, message) => {
    const opened = openRepertoire({ sources: [], listing: { budget: listingBudget as never } })
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(message)
  })

  it('[SHOW-7] is kept by the estimate where a counter gives no number', async () => {
    const { cuts } = await listOf([skill('a')], 'xml', { countTokens: () => Number.NaN })
    expect(cuts).toEqual((await listOf([skill('a')], 'xml')).cuts)
  })
})
