import { expect, it } from 'vitest'
import { colorsWanted } from '../../src/output/color.ts'

it.each([
  [true, {}, true],
  [true, { TERM: 'xterm' }, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '', CI: '1' }, false],
  [false, { FORCE_COLOR: '3', NO_COLOR: '1' }, false],
])('a stream (terminal: %s) with %j has colours: %s', (isTerminal, env, expected) => {
  expect(colorsWanted(isTerminal, env)).toBe(expected)
})
