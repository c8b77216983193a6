import { expect, test } from 'vitest'
import { failure, partFailure, reasonOf, show, textFailure, unwantedFailure } from '../src/failure.ts'

test('[CONF-1] words a failure as what was expected and what was seen', () => {
  expect(failure('no run of "Bash"', [{ tool: 'Bash' }]).message).toBe(
    'expected no run of "Bash", saw [{"tool":"Bash"}]',
  )
})

test('[CONF-1] shows any value in one line, and cuts long ones', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect([undefined, null, 'a\nb', Symbol('s'), circle].map((value) => show(value))).toEqual([
    'undefined',
    'null',
    '"a\\nb"',
    'Symbol(s)',
    'a value that JSON cannot represent',
  ])
  expect(show(new RangeError('Too far.'))).toBe('RangeError: Too far.')
  expect(show('x'.repeat(20), 6)).toBe('"xxxxx… (16 more characters)')
})

test('[CONF-1] tells what was thrown with its causes, and gets over circles', () => {
  const inner = new Error('connect ECONNREFUSED')
  expect(reasonOf(new TypeError('fetch failed', { cause: inner }))).toBe(
    'TypeError: fetch failed (connect ECONNREFUSED)',
  )
  expect(reasonOf(new AggregateError([inner, 'odd'], 'both'))).toBe(
    'AggregateError: both (connect ECONNREFUSED; "odd")',
  )
  expect(reasonOf('just text')).toBe('"just text" was thrown, which is not an Error')
  expect(reasonOf(undefined)).toBe('undefined was thrown, which is not an Error')
  expect(reasonOf(new Error(''))).toBe('(no message)')
  const circle = new Error('round')
  circle.cause = circle
  expect(reasonOf(circle)).toMatch(/^round \(round \(.*round\)+$/)
})

const long = (end: string): string => `${'The host says this. '.repeat(50)}${end}${' And that.'.repeat(50)}`

test('[CONF-1, CONF-6] shows of two texts the place where they part', () => {
  expect(textFailure('the answer', 'no', 'yes').message).toBe('expected the answer to be "yes", saw "no"')
  const { message } = textFailure('the system prompt', long('Here are\ncats.'), long('Here are\ndogs.'))
  expect(message).toMatch(
    /^expected the system prompt to be "….*this\. Here are\\ndogs\. .*…", saw "….*this\. Here are\\ncats\. .*…"$/,
  )
  expect(message.length).toBeLessThan(600)
  expect(textFailure('it', long(''), long('').slice(0, -1)).message).toMatch(/ And that", saw "….* And that\."$/)
  expect(textFailure('it', '', long('')).message).toMatch(/to be "The host says this\. .*…", saw ""$/)
})

test('[CONF-6, CONF-7] shows a text that lacks a part if it has most of it, and one with a part that it must not have', () => {
  const { message } = partFailure('the list', long('Here are cats.'), 'this. Here are dogs.')
  expect(message).toMatch(/to contain "this\. Here are dogs\.", saw "….*Here are cats\. .*…"$/)
  expect(message.length).toBeLessThan(500)
  expect(partFailure('the list', 'xyz', 'abc').message).toBe('expected the list to contain "abc", saw "xyz"')
  expect(unwantedFailure('it', long('SECRET'), 'SECRET').message).toMatch(
    /not to contain "SECRET", saw "….*SECRET.*…"$/,
  )
})
