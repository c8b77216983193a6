import * as fc from 'fast-check'
import * as library from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { readPlainYaml } from '@repertoire/skill-md/internal/parser'
import { createYamlReader } from '../../src/yaml/yaml.ts'
import { frontmatter, glanced, line, piece, REAL } from './frontmatter-texts.ts'
import { anyCharacter, runs } from '@repertoire/test-servers/properties'

const readYaml = createYamlReader(library)

/** Holds the law: the same tree, or none. Returns whether there was one. */
function expectSameOrNone(text: string): boolean {
  const root = readPlainYaml(text, 2)
  if (root === undefined) return false
  // The text stands beside the tree, so that a failure shows it.
  expect({ text, result: { root } }).toEqual({ text, result: readYaml(text, 2) })
  return true
}

describe('the reader of plain YAML', { timeout: 60_000 }, () => {
  it.each([
    ['plain text', 'name: pdf\ndescription: Reads PDF files. Use it for forms, too.\nhomepage: https://a.b/c#d\n'],
    ['typed values', 'a: 1\nb: true\nc: ~\nd:\ne: 2024-01-01\nf: 1.10\ng: 0x1F\nh: no\n'],
    ['text in quotes', 'a: "b: c # d"\nb: \'it\'\'s\'\nc: ""\n'],
    ['lists of words', 'a: [b, c d, 3, "e, f", true, x>=2.0]\nallowed-tools: [Read, Bash(git), []]\n'],
    ['mappings in braces', 'a: {"b":{"c":["d",1],"e":{}},"f":null}\ng: { h: i, "j": k }\n'],
    ['blocks of text', 'a: >\n  one: two # three\n  four\n\n\n  five\nb: |-\n    "c"\n      d\n\n    e\n\n'],
    ['nested mappings and lists', 'a:\n  b: c\n\n  # d\n  e:\n  - f\n  - g: h\n    i: j\n  - - k\n    - l\nm: n\n'],
    ['text that goes on below', 'a: b\n  c d\n    e\nf:\n  - g\n    h\n'],
    ['escapes', 'a: "\\n\\t\\"\\\\\\/"\nb: ["\\""]\n'],
    ['comments, blank lines and CRLF', '# a\r\n\r\na: b  \r\n\r\n# c\r\nd: e\r\n'],
  ])('[MAN-2, NFR-1] reads %s as the full reader does', (_, text) => {
    expect(expectSameOrNone(text)).toBe(true)
  })

  it.each([
    ['an anchor', 'a: &b c\n'],
    ['a tag', 'a: !!str b\n'],
    ['a directive', '%YAML 1.2\n'],
    ['a second document', 'a: b\n--- c\n'],
    ['a key that stands twice', 'a: b\na: c\n'],
    ['a merge key', '<<: a\n'],
    ['a reserved key', 'constructor: b\n'],
    ['a tab', 'a:\tb\n'],
    ['a lone carriage return', 'a: b\rc: d\n'],
    ['an escape that JSON lacks', 'a: "\\x41"\n'],
    ['half of a character', 'a: "\\ud83d"\n'],
    ['a comment behind a value', 'a: b # c\n'],
    ['a mapping in plain text', 'a: b: c\n'],
    ['text that goes on as a mapping', 'a: b\n  c: d\n'],
    ['text that goes on behind a blank line', 'a: b\n\n  c\n'],
    ['a folded block with deeper lines', 'a: >\n  b\n    c\n'],
    ['a block that keeps its blank lines', 'a: |+\n  b\n\n'],
    ['a list over several lines', 'a: [b,\n  c]\n'],
    ['quotes over several lines', 'a: "b\n  c"\n'],
    ['what is indented differently', 'a:\n   b: c\n  d: e\n'],
    ['more levels than manifests have', Array.from({ length: 10 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
    ['a quote that nothing closes', 'a: "b\n'],
    ['a list at the top', '- a\n'],
    ['nothing', '\n'],
    ['too many values', Array.from({ length: 1000 }, (_, index) => `k${index}:\n`).join('')],
  ])('[MAN-15] leaves %s to the full reader', (_, text) => {
    expect(readPlainYaml(text, 2)).toBeUndefined()
  })

  it('[MAN-2] returns the same tree as the full reader or none, whatever lines follow each other', () => {
    let read = 0
    fc.assert(
      fc.property(frontmatter, (text) => {
        if (expectSameOrNone(`${text}\n`)) read++
      }),
      { numRuns: runs(6000) },
    )
    // A reader that never reads would hold the law too.
    expect(read).toBeGreaterThan(runs(60))
  })

  it('[MAN-2] returns the same tree as the full reader or none for lines that look like fields', () => {
    let read = 0
    fc.assert(
      fc.property(fc.array(glanced, { minLength: 1, maxLength: 3 }), (lines) => {
        const texts = lines.map(([left, key, value, feed, next], index) => {
          const first = `${left}${key.replace('K', `k${index}`)}${value}${feed}`
          return next === '' ? first : `${first}${next}\n`
        })
        if (expectSameOrNone(texts.join(''))) read++
      }),
      { numRuns: runs(8000) },
    )
    expect(read).toBeGreaterThan(runs(100))
  })

  it('[MAN-2] returns the same tree as the full reader or none after real frontmatters were changed', () => {
    let read = 0
    const insert = fc.oneof(piece, line, fc.string({ unit: anyCharacter, maxLength: 2 }))
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(6), insert), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.constantFrom(...REAL), edits, (text, changes) => {
        let changed: string = text
        for (const [where, cut, added] of changes) {
          const at = where % changed.length
          changed = `${changed.slice(0, at)}${added}${changed.slice(at + cut)}\n`
        }
        if (expectSameOrNone(changed)) read++
      }),
      { numRuns: runs(6000), seed: 7 },
    )
    expect(read).toBeGreaterThan(runs(100))
  })

  it.each<[string, (size: number) => string]>([
    ['blank lines', (size) => `a: b\n${'\n'.repeat(size)}c: d\n`],
    ['spaces in plain text', (size) => `a: b${' '.repeat(size)}#c\n`],
    ['quotes that never close', (size) => `a: '${"''".repeat(size / 2)}\n`],
    [
      'levels',
      (size) => Array.from({ length: Math.sqrt(2 * size) }, (_, level) => `${' '.repeat(level)}a:\n`).join(''),
    ],
    ['hyphens', (size) => `${'- '.repeat(size / 2)}a\n`],
    ['brackets', (size) => `a: ${'['.repeat(size)}\n`],
    ['colons', (size) => `a: ${'b:'.repeat(size / 2)} \n`],
    ['words of a list', (size) => `a: [${'b '.repeat(size / 2)}!\n`],
    ['entries of a list', (size) => `a: [${'b,'.repeat(size / 2)}!\n`],
  ])('[MAN-15, ABUSE-3] reads or leaves 32 KB at once: %s', (_, make) => {
    const text = make(32_000)
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      expectSameOrNone(text)
      return performance.now() - start
    })
    // The machine may have stopped in the others.
    expect(Math.min(...times)).toBeLessThan(500)
  })
})
