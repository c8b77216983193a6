// An algorithm of its own: a session adds its results up.
import { describe, expect, it } from 'vitest'
import { estimateTokens as estimateProse } from '../index.ts'
import { estimateTokens } from './settings.ts'

describe('the estimate of what a conversation holds', () => {
  it('[WIN-1] is that of prose for prose and for code', () => {
    const prose = 'The quick brown fox jumps over the lazy dog; see src/window/estimate.ts, line 12. '.repeat(20)
    expect(estimateTokens(prose)).toBe(estimateProse(prose))
  })

  it('[WIN-1] counts 200 KB of base64 for what they are, also in lines', () => {
    const bytes = Array.from({ length: 150_000 }, (_, index) => (index * index * 31 + index) % 256)
    const base64 = Buffer.from(bytes).toString('base64')
    const lines = base64.match(/.{76}/g)!.join('\n')
    for (const text of [base64, lines]) {
      const perChar = estimateTokens(text) / text.length
      expect(perChar).toBeGreaterThan(0.6)
      expect(perChar).toBeLessThan(0.9)
    }
  })

  it('[WIN-1] counts blanks', () => {
    expect(estimateTokens(' '.repeat(32_000))).toBe(1_000)
    expect(estimateTokens('')).toBe(0)
  })
})
