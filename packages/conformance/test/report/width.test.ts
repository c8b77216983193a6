import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { center, columns, pad, truncate, wrap } from '../../src/report/width.ts'

test('[CONF-3] counts wide characters as two columns, and what combines as one', () => {
  expect(['abc', '日本', '🙂', '👨‍👩‍👧', 'e\u0301', '✓', '…', '한글'].map(columns)).toEqual([3, 4, 2, 2, 1, 1, 1, 4])
})

test('[CONF-3] truncates and fills by columns, and cuts no character', () => {
  expect(truncate('日本語', 5)).toBe('日本…')
  expect(truncate('日本語', 6)).toBe('日本語')
  expect(truncate('👨‍👩‍👧x', 2)).toBe('…')
  expect(truncate('abc', 0)).toBe('')
  expect(pad('日', 4)).toBe('日  ')
  expect(center('✓', 5)).toBe('  ✓  ')
  expect(center('toolong', 3)).toBe('toolong')
})

test('[CONF-3] wraps at spaces where there are any, and hard where there are none', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrap('abcdefghijklmno', 8)).toEqual(['abcdefgh', 'ijklmno'])
  expect(wrap('first\r\nsecond\n\nthird', 20)).toEqual(['first', 'second', '', 'third'])
  expect(wrap('a\u001b[31mb', 20)).toEqual(['a\\u{1B}[31mb'])
})

test('[CONF-3] loses nothing but spaces by wrapping, and keeps to the width', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, width) => {
      const lines = wrap(text, width)
      expect(lines.every((line) => columns(line) <= width)).toBe(true)
      expect(lines.join('').replace(/\s/g, '')).toBe(wrap(text, 10_000).join('').replace(/\s/g, ''))
    }),
  )
})
