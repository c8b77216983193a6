import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as yaml from 'yaml'
import { createManifestParser, readPlainYaml } from '@repertoire/skill-md/internal/parser'
import type { ManifestContext } from '../../src/frontmatter.ts'
import { createYamlReader } from '../../src/yaml/yaml.ts'
import { frontmatter, glanced, line, piece, REAL } from './frontmatter-texts.ts'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'

const readYaml = createYamlReader(yaml)

/** What never reaches a reader: `decode` refuses it. */
// eslint-disable-next-line no-control-regex
const REFUSED_BEFORE = /[\0-\x08\x0B\x0C\x0E-\x1F]|\p{Cs}/u

/** Holds the law: the same tree, or none. Gives whether there was one. */
function expectSameOrNone(text: string): boolean {
  if (REFUSED_BEFORE.test(text)) return false
  const plain = readPlainYaml(text, 2)
  if (plain === undefined || 'faultLine' in plain) return false
  // The text stands beside the tree, so that a failure shows it.
  expect({ text, result: plain }).toEqual({ text, result: readYaml(text, 2) })
  return true
}

describe('the fast reader', { timeout: 60_000 }, () => {
  it.each(REAL.map((text) => [text]))('[MAN-2, NFR-1] reads what real frontmatters are made of: %j', (text) => {
    expect(expectSameOrNone(text)).toBe(true)
  })

  it.each([
    ['an anchor', 'a: &b c\n'],
    ['an alias', 'a: *b\n'],
    ['a tag', 'a: !!str b\n'],
    ['a directive', '%YAML 1.2\n'],
    ['a second document', 'a: b\n--- c\n'],
    ['the end of a document', 'a: b\n...\n'],
    ['an explicit key', '? a\n: b\n'],
    ['a key that stands twice', 'a: b\na: c\n'],
    ['a key that stands twice in another spelling', 'x: {a: b, "a": c}\n'],
    ['a merge key', '<<: {a: b}\n'],
    ['a reserved key', 'a:\n  - {__proto__: b}\n'],
    ['a tab', 'a:\tb\n'],
    ['a lone carriage return', 'a: b\rc: d\n'],
    ['plain text behind a comment of less indentation', 'a:\n#b\n  c\nd: e\n'],
    ['a comment at the margin inside brackets', 'a: [{b: c}\n# d\n]\n'],
    ['a comment without a blank before it', 'a: "b"#c\n'],
    ['an inner bracket that closes at the margin', 'a: [[b\n]]\n'],
    ['a list at the top', '- a\n'],
    ['text at the top', 'a\n'],
    ['nothing', '\n'],
    ['a key whose quote is not closed', 'a: b\n"c: d\n'],
    ['a quote that is not closed, and what may be no escape', 'a: "b\\q\n'],
    ['a quote that is not closed in brackets', 'a: [b, "c\n'],
    ['a list that is not closed', 'a: [b\n'],
    ['a line without a key', 'a: b\nc\n'],
    ['a lone surrogate', 'a: "\\ud800"\n'],
    ['a NUL', 'a: "\\0"\n'],
    ['too deep a nest', `a: ${'['.repeat(40)}${']'.repeat(40)}\n`],
    ['too many parts', Array.from({ length: 3000 }, (_, index) => `k${index}:\n`).join('')],
  ])('[MAN-15] leaves %s to the full reader', (_, text) => {
    expect(readPlainYaml(text, 2)).toBeUndefined()
  })

  it.each([
    ['ends the text', 'a: b\nc: "d\n', 3],
    ['takes the next fields for text', "a: 'b\nc: d\ne: [f\n", 2],
    ['stands in a list', 'a:\n  - b\n  - "c\nd: e\n', 4],
    ['stands below its key', 'a:\n  b:\n    "c: d\n', 4],
    ['follows an equal key', 'a: b\na: "c\n', 3],
  ])(
    '[MAN-2, MAN-15] reports a quote that nothing closes as the full reader does, and where it %s',
    (_, text, expected) => {
      const result = readPlainYaml(text, 2)
      expect(result).toEqual(readYaml(text, 2))
      expect(result).toMatchObject({
        fault: { code: 'YAML_INVALID', line: expected, message: expect.stringContaining('never closed') },
      })
    },
  )

  it('[MAN-2] gives the same fault as the full reader or none, whatever stands before and behind a quote', () => {
    let faults = 0
    const text = fc.tuple(
      frontmatter,
      fc.constantFrom('z: ', 'z:\n  ', 'z:\n- ', 'z:\n  - y: ', '', 'z: [', 'x y: '),
      fc.constantFrom('"', "'"),
      frontmatter,
    )
    fc.assert(
      fc.property(text, ([before, key, mark, behind]) => {
        const rest = behind.replaceAll(mark, '').replaceAll(/\t/g, ' ')
        const all = `${before.replaceAll(/["'[{\t]/g, '')}\n${key}${mark}${rest}\n`
        expectSameOrNone(all)
        const result = readPlainYaml(all, 2)
        if (result !== undefined && 'fault' in result) faults++
      }),
      { numRuns: runs(6000) },
    )
    expect(faults).toBeGreaterThan(runs(300))
  })

  it('[MAN-2] gives the same tree as the full reader or none, whatever lines follow each other', () => {
    let read = 0
    fc.assert(
      fc.property(frontmatter, (text) => {
        if (expectSameOrNone(`${text}\n`)) read++
      }),
      { numRuns: runs(6000) },
    )
    // A reader that never reads would hold the law too.
    expect(read).toBeGreaterThan(runs(300))
  })

  it('[MAN-2] gives the same tree as the full reader or none for lines that it may take at a glance', () => {
    let read = 0
    fc.assert(
      fc.property(fc.array(glanced, { minLength: 1, maxLength: 5 }), fc.boolean(), (lines, nested) => {
        const texts = lines.map(([left, key, value, feed, next], index) => {
          const first = `${left}${key.replace('K', `k${index}`)}${value}${feed}`
          return next === '' ? first : `${first}${next}\n`
        })
        if (expectSameOrNone(`${nested ? 'outer:\n' : ''}${texts.join('')}`)) read++
      }),
      { numRuns: runs(8000) },
    )
    expect(read).toBeGreaterThan(runs(500))
  })

  it('[MAN-2] reads escapes as the full reader does or not at all', () => {
    const part = fc.constantFrom(
      ...[
        ['a', ' ', 'é', "'", '\\\\', '\\"', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0041', '\\u200B', '\\u0000'],
        [
          '\\ud83d\\ude00',
          '\\uD83D',
          '\\ude00',
          '\\u12',
          '\\x41',
          '\\e',
          '\\_',
          '\\q',
          '\\ ',
          '\n ',
          '\\\n ',
          '\u2028',
          ': ',
          ' #',
        ],
      ].flat(),
    )
    let read = 0
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom('\n', ' # c\n', 'x\n', '\n  y\n'),
        (parts, tail) => {
          if (expectSameOrNone(`a: "${parts.join('')}"${tail}b: c\n`)) read++
        },
      ),
      { numRuns: runs(4000) },
    )
    expect(read).toBeGreaterThan(runs(500))
  })

  it('[MAN-2] gives the same tree as the full reader or none after real frontmatters were changed', () => {
    let read = 0
    const edit = fc.tuple(
      fc.nat(400),
      fc.nat(6),
      fc.oneof(piece, line, fc.string({ unit: anyCharacter, maxLength: 2 })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...REAL), fc.array(edit, { minLength: 1, maxLength: 4 }), (text, edits) => {
        let changed: string = text
        for (const [where, cut, insert] of edits) {
          const at = where % changed.length
          changed = changed.slice(0, at) + insert + changed.slice(at + (insert.length > 1 ? 0 : cut)) + '\n'
        }
        if (expectSameOrNone(changed)) read++
      }),
      { numRuns: runs(6000), seed: 7 },
    )
    expect(read).toBeGreaterThan(runs(1000))
  })

  it('[MAN-9] repairs a value that lacks quotes as the full reader does, word for word', async () => {
    const plain = createManifestParser()
    const full = createManifestParser(() => undefined)
    const part = fc.constantFrom(
      ': &a',
      ': "b',
      ': [',
      ': |',
      'word',
      'a: b',
      ': ',
      ' ',
      ' # c',
      '"',
      "'",
      '[',
      'http://x',
      '&a',
      '- ',
      'é',
      ':',
      '1',
      '(',
      ': (',
      ': /',
      ': é',
      ': 技',
      ': .',
      '@',
      '`',
      '%',
      ',',
      '@a',
      '[@a, b]',
      '[a, `b]',
      '[a, %b]',
      '[@a',
    )
    const field = fc.tuple(
      fc.constantFrom('license', 'x', 'metadata', 'y-z', '  n', '- m'),
      fc.array(part, { maxLength: 5 }),
    )
    let repaired = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(field, { maxLength: 4 }),
        fc.constantFrom('\n', '\n\n', '\n  more\n', '\n# c\n'),
        fc.constantFrom('strict', 'default', 'lenient'),
        fc.constantFrom('Use when: x', 'Use when: (1) x', '@x', ', x', '`x` y', 'x'),
        async (fields, between, profile, description) => {
          const lines = fields.map(([key, parts]) => `${key}: ${parts.join('')}`).join(between)
          const bytes = new TextEncoder().encode(`---\nname: pdf\ndescription: ${description}\n${lines}\n---\n`)
          const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
          const context: ManifestContext = { path: 'pdf/SKILL.md', folderName: 'pdf', fileName: 'SKILL.md', profile }
          const result = await plain.metadata(file, context)
          expect(result).toEqual(await full.metadata(file, context))
          if (result.diagnostics.some(({ code }) => code === 'YAML_REPAIRED')) repaired++
        },
      ),
      { numRuns: runs(3000) },
    )
    expect(repaired).toBeGreaterThan(runs(300))
  })

  it('[MAN-9, MAN-15] repairs as the full reader does, however many lines and colons there are', async () => {
    const plain = createManifestParser()
    const full = createManifestParser(() => undefined)
    let [repaired, refused] = [0, 0]
    const numbers = everyOf([1, 2, 4, 7, 8, 9], [1, 2, 3, 4, 5, 8, 9, 40], [0, 1, 12], [0, 12, 13])
    // Every number in some of them where people wait for the tests, and all of them in CI.
    const tried = numbers.filter((_, index) => process.env['CI'] !== undefined || index % 4 === 0)
    for (const [lines = 0, colons = 0, depth = 0, brackets = 0] of tried) {
      const fields = Array.from({ length: lines }, (_, index) => `f${index}: ${'a: '.repeat(colons)}b\n`).join('')
      const above = Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}n${level}:\n`).join('')
      const below = `${'  '.repeat(depth)}k: ${'['.repeat(brackets)}1${']'.repeat(brackets)}\n`
      const bytes = new TextEncoder().encode(`---\nname: pdf\ndescription: x\n${fields}${above}${below}---\n`)
      const file = { size: bytes.length, head: (length: number) => bytes.subarray(0, length) }
      const context: ManifestContext = { path: 'SKILL.md', folderName: 'pdf', fileName: 'SKILL.md', profile: 'default' }
      const result = await plain.metadata(file, context)
      const numbered = { lines, colons, depth, brackets }
      expect({ ...numbered, result }).toEqual({ ...numbered, result: await full.metadata(file, context) })
      if (result.manifest === undefined) refused++
      else repaired++
    }
    expect(Math.min(repaired, refused)).toBeGreaterThan(2)
  })

  it.each<[string, (size: number) => string]>([
    ['blank lines in a block', (size) => `a: |\n${' \n'.repeat(size)}b: c\n`],
    ['blank lines behind plain text', (size) => `a: b\n${'\n'.repeat(size)}c: d\n`],
    ['spaces in plain text', (size) => `a: b${' '.repeat(size)}c\n`],
    ['spaces in quotes', (size) => `a: "b${' '.repeat(size)}\n  c"\n`],
    ['quotes that never close', (size) => `a: '${"''".repeat(size / 2)}\n`],
    ['escapes', (size) => `a: "${'\\\\'.repeat(size / 2)}"\n`],
    ['colons without a blank', (size) => `a: ${':b'.repeat(size / 2)}\n`],
    ['colons with a blank', (size) => `a: ${'b: '.repeat(size / 3)}\n`],
    ['dashes', (size) => `a:\n  ${'- '.repeat(size / 2)}b\n`],
    ['open brackets', (size) => `a: ${'['.repeat(size)}\n`],
    ['entries of a flow list', (size) => `a: [${'b,'.repeat(size / 2)}c]\n`],
    ['comments', (size) => `${'#\n'.repeat(size / 2)}a: b\n`],
    ['keys', (size) => `${Array.from({ length: size / 6 }, (_, index) => `k${index}:`).join('\n')}\n`],
    ['items in quotes', (size) => `a:\n${'- "b"\n'.repeat(size / 6)}`],
    ['folded lines', (size) => `a: >\n${'  b\n'.repeat(size / 4)}`],
  ])('[MAN-15, ABUSE-3] its work grows with the text and not with its square: %s', (_, make) => {
    const work = (size: number): number => {
      let steps = 0
      const text = countedText(make(size), (count) => (steps += count))
      readPlainYaml(text, 2)
      return steps
    }
    // Twice the text is about twice the work; the square would be four times.
    expect(work(24_000)).toBeLessThan(3 * work(12_000) + 1000)
  })

  it.each([
    ['entries', (count: number) => Array.from({ length: count / 16 }, (_, index) => `k${index}: v\n`).join('')],
    ['words in a list', (count: number) => `k: [${'a, '.repeat(count / 6)}b]\n`],
  ])('[MAN-15, ABUSE-3] leaves what could be too much to the full reader: %s', (_, make) => {
    expect(readPlainYaml(make(3200), 2)).toEqual(readYaml(make(3200), 2))
    expect(readPlainYaml(make(4000), 2)).toBeUndefined()
  })
})

/** Every choice of one number from each list. */
function everyOf(...lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>((all, list) => all.flatMap((one) => list.map((next) => [...one, next])), [[]])
}

/** A text that counts the characters that are looked at. */
function countedText(text: string, count: (characters: number) => void): string {
  const counted: Record<string, unknown> = {
    length: text.length,
    charCodeAt: (at: number) => (count(1), text.charCodeAt(at)),
    slice: (from: number, to?: number) => (count(Math.max(0, (to ?? text.length) - from)), text.slice(from, to)),
    indexOf: (sought: string, from = 0) => {
      const found = text.indexOf(sought, from)
      count((found === -1 ? text.length : found) - from + 1)
      return found
    },
    includes: (sought: string) => (count(text.length), text.includes(sought)),
    startsWith: (sought: string, at?: number) => (count(sought.length), text.startsWith(sought, at)),
    endsWith: (sought: string) => (count(sought.length), text.endsWith(sought)),
  }
  const proxy = new Proxy(counted, {
    get: (target, key) =>
      typeof key === 'string' && /^\d+$/.test(key) ? (count(1), text[Number(key)]) : target[key as string],
  })
  return proxy as unknown as string
}
