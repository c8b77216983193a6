import { describe, expect, it } from 'vitest'
import { readCommandPattern } from '../../src/shell/simple-command.ts'

describe('reading the pattern of a rule', () => {
  it('[GATE-3] gives the same answer however many patterns were read before', () => {
    const all = Array.from({ length: 1_200 }, (_, index) => `tool-${index} run`)
    const expected = all.map((text) => ({ words: text.split(' '), isPrefix: true }))
    for (let round = 0; round < 2; round++) {
      expect(all.map((text) => readCommandPattern(`${text}:*`))).toEqual(expected)
      expect(readCommandPattern('tool-1 run')).toEqual({ words: ['tool-1', 'run'], isPrefix: false })
      expect(all.map((text) => readCommandPattern(`${text}; rm`))).toEqual(all.map(() => undefined))
    }
  })
})
