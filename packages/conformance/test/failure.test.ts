import { expect, test } from 'vitest'
import { failure, reasonOf, show, textFailure } from '../src/failure.ts'

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
    'a value that JSON cannot represent',
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
  expect(reasonOf('just text')).toBe('"just text" was thrown, which is not an Error')
  expect(reasonOf(undefined)).toBe('undefined was thrown, which is not an Error')
  expect(reasonOf(new Error(''))).toBe('(no message)')
  const circle = new Error('round')
  circle.cause = circle
  expect(reasonOf(circle)).toMatch(/^round \(round \(.*round\)+$/)
})

const long = (end: string): string => `${'The host says this. '.repeat(50)}${end}${' And that.'.repeat(50)}`

test('[CONF-1] shows of a long text the place where it is not what it should be', () => {
  expect(textFailure('the answer', 'no', 'yes').message).toBe('expected the answer to be "yes", saw "no"')
  const { message } = textFailure('the system prompt', long('Here are cats.'), long('Here are dogs.'))
  expect(message).toContain('expected the system prompt, from character 1010 on, to be "…')
  expect(message).toMatch(/this\. Here are dogs\. .*, saw ".*this\. Here are cats\. /)
  expect(message.length).toBeLessThan(500)
  expect(textFailure('the system prompt', long(''), long('').slice(0, -1)).message).toContain('from character 1500 on')
  expect(textFailure('the system prompt', '', long('')).message).toContain('from character 1 on')
})

test('[CONF-6] shows of a text with several lines the first that differs, between a few that do not', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `Line ${index + 1} of the list.`)
  const seen = lines.with(11, 'Line 12 of the bill.').toSpliced(15, 1).join('\n')
  expect(textFailure('the list', seen, lines.join('\n')).message).toBe(
    [
      'expected the list to be as the line marked "-", saw the one marked "+":',
      '    10 | Line 10 of the list.',
      '    11 | Line 11 of the list.',
      '  - 12 | Line 12 of the list.',
      '  + 12 | Line 12 of the bill.',
      '       |                ^',
      '    13 | Line 13 of the list.',
      '    14 | Line 14 of the list.',
    ].join('\n'),
  )
})

test('[CONF-6] shows of a long line the part that differs, and where a text ends too early', () => {
  const edge = `${'x'.repeat(500)}🙂`
  const { message } = textFailure('it', `a\n${edge}b${edge}`, `a\n${edge}c${edge}`)
  const [, , minus = '', plus = '', caret = ''] = message.split('\n')
  expect([minus.length, plus.length].every((length) => length < 200)).toBe(true)
  expect([minus, plus].map((line) => line.at(caret.indexOf('^') + 1))).toEqual(['c', 'b'])
  const many = `a\n${'b\n'.repeat(200)}`
  expect(textFailure('it', many, `${many}c\nd`).message).toMatch(/ {2}- 202 \| c\n {2}\+ 202 \| \n/)
  expect(textFailure('it', `${many}c\nd`, `${many}c`).message).toMatch(/ {2}- 203 \| \(the end\)\n {2}\+ 203 \| d$/)
})
