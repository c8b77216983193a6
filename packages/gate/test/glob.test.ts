import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchParts, matchText } from '../src/paths/glob.ts'
import { MAX_PATTERN_CHARS } from '../src/limits.ts'
import { runs } from '@repertoire/test-servers/properties'

/** The plain definition, which takes exponential time: what a pattern means. */
function means(
  pattern: readonly string[],
  items: readonly string[],
  isOne: (pattern: string, item: string) => boolean,
  run: string,
): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return items.length === 0
  if (first === run)
    return items.some((_, index) => means(rest, items.slice(index), isOne, run)) || means(rest, [], isOne, run)
  return items.length > 0 && isOne(first, items[0]!) && means(rest, items.slice(1), isOne, run)
}

function textMeans(pattern: string, text: string): boolean {
  return means(Array.from(pattern), Array.from(text), (wanted, letter) => wanted === letter, '*')
}

function partMeans(pattern: string, part: string): boolean {
  return means(Array.from(pattern), Array.from(part), (wanted, letter) => wanted === '?' || wanted === letter, '*')
}

function partsMean(pattern: readonly string[], parts: readonly string[]): boolean {
  return means(pattern.at(-1) === '**' ? [...pattern, '*'] : pattern, parts, partMeans, '**')
}

const parts = (...texts: string[]) => texts.map((text) => ({ text }))

describe('matchText', () => {
  test('[GATE-3] says of any small pattern and text what the plain definition says', () => {
    const letters = (from: string) =>
      fc.array(fc.constantFrom(...Array.from(from)), { maxLength: 7 }).map((all) => all.join(''))
    fc.assert(
      fc.property(letters('ab**?😀'), letters('abb?😀'), (pattern, text) => {
        expect(matchText(pattern, text)).toBe(textMeans(pattern, text))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('[GATE-3] takes nothing but the star for special', () => {
    expect(matchText('a?[b]{c}', 'a?[b]{c}')).toBe(true)
    expect(matchText('a?', 'ab')).toBe(false)
    expect(matchText('.*', 'x')).toBe(false)
  })

  test('[GATE-3] compares no pattern of more than 1,000 characters', () => {
    const long = 'a'.repeat(MAX_PATTERN_CHARS)
    expect(matchText(long, long)).toBe(true)
    expect(matchText(`${long}a`, `${long}a`)).toBe(false)
  })

  test('[GATE-3] answers for patterns that a backtracking matcher would not live to answer for', () => {
    expect(matchText('*a'.repeat(499), 'a'.repeat(9_999) + 'b')).toBe(false)
    expect(
      matchParts(
        Array.from({ length: 400 }, (_, index) => ({ text: index % 2 ? 'a' : '**' })),
        [...'a'.repeat(2_000).split(''), 'b'],
      ),
    ).toBe(false)
  })
})

describe('matchParts', () => {
  test('[GATE-3] says of any small path what the plain definition says', () => {
    const part = (from: string) =>
      fc.array(fc.constantFrom(...Array.from(from)), { minLength: 1, maxLength: 3 }).map((all) => all.join(''))
    const pattern = fc.array(fc.oneof(part('ab*?.'), fc.constant('**')), { maxLength: 5 })
    fc.assert(
      fc.property(pattern, fc.array(part('ab.'), { maxLength: 5 }), (texts, path) => {
        expect(matchParts(parts(...texts), path)).toBe(partsMean(texts, path))
      }),
      { numRuns: runs(3_000) },
    )
  })

  test.each([
    ['docs/**', 'docs/a', true],
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs', false],
    ['docs/**', 'docs-evil/x', false],
    ['docs/**', 'x/docs/a', false],
    ['docs/*', 'docs/a', true],
    ['docs/*', 'docs/a/b', false],
    ['**/x.md', 'x.md', true],
    ['**/x.md', 'a/b/x.md', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/x/y/c', false],
    ['a**b', 'axxb', true],
    ['a**b', 'ax/xb', false],
    ['?.md', 'é.md', true],
    ['?.md', '😀.md', true],
    ['?.md', '.md', false],
    ['*', '.env', true],
    ['[a].md', 'a.md', false],
    ['[a].md', '[a].md', true],
  ])('[GATE-3] %s against %s: %s', (pattern, path, expected) => {
    expect(matchParts(parts(...pattern.split('/')), path.split('/'))).toBe(expected)
  })

  test('[GATE-3] takes a literal part by its letters alone', () => {
    expect(matchParts([{ text: '**', literal: true }, { text: '*' }], ['**', 'a'])).toBe(true)
    expect(matchParts([{ text: '*', literal: true }], ['a'])).toBe(false)
  })
})
