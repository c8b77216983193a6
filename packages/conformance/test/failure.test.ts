import { expect, test } from 'vitest'
import { failure, reasonOf, show } from '../src/failure.ts'

test('[CONF-1] words a failure as what was expected and what was seen', () => {
  expect(failure('no run of "Bash"', [{ tool: 'Bash' }]).message).toBe(
    'expected no run of "Bash", saw [{"tool":"Bash"}]',
  )
})

test('[CONF-1] shows any value in one line, long ones cut between characters', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect([undefined, null, 'a\nb', 1n, Symbol('s'), circle].map((value) => show(value))).toEqual([
    'undefined',
    'null',
    '"a\\nb"',
    '1n',
    'Symbol(s)',
    'a value that JSON cannot carry',
  ])
  expect(show(function named() {})).toBe('a function named')
  expect(show(new RangeError('Too far.'))).toBe('RangeError: Too far.')
  expect(show('x'.repeat(20), 6)).toBe('"xxxxx… (16 more characters)')
  expect(show('abcd🙂', 6)).toBe('"abcd… (3 more characters)')
})

test('[CONF-1] tells what was thrown with its causes, and gets over circles', () => {
  const inner = new Error('connect ECONNREFUSED')
  expect(reasonOf(new TypeError('fetch failed', { cause: inner }))).toBe(
    'TypeError: fetch failed (connect ECONNREFUSED)',
  )
  expect(reasonOf(new AggregateError([inner, 'odd'], 'both'))).toBe(
    'AggregateError: both (connect ECONNREFUSED; "odd")',
  )
  expect(reasonOf('just text')).toBe('"just text" was thrown, which is no Error')
  expect(reasonOf(undefined)).toBe('undefined was thrown, which is no Error')
  expect(reasonOf(new Error(''))).toBe('(no message)')
  const circle = new Error('round')
  circle.cause = circle
  expect(reasonOf(circle)).toMatch(/^round \(round \(.*round\)+$/)
})
