import { describe, expect, test } from 'vitest'
import { compareText } from '../../src/allow/text.ts'

describe('compareText', () => {
  test.each([
    ['staging', 'staging', true],
    ['staging', 'Staging', false],
    ['staging', 'staging2', false],
    ['team:*', 'team', true],
    ['team:*', 'team-a', true],
    ['team:*', 'xteam', false],
    ['a*c', 'abbc', true],
    ['a*c', 'abb', false],
    ['a?c', 'abc', false],
    ['.*', 'x', false],
    ['(a|a)*b', 'aaab', false],
    [':*', 'x', false],
    ['', '', false],
    ['a*', 'a\nb', false],
    ['a*', 'a'.repeat(10_001), false],
  ])('[GATE-3] %j against %j: %s', (pattern, value, expected) => {
    expect(compareText('target', value)(pattern) === undefined).toBe(expected)
  })
})
