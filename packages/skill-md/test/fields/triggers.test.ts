import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkill, loadPatternChecker } from '../../src/internal.ts'

const read = (rest: string) => parseSkill(`---\nname: pdf\ndescription: x\n${rest}\n---\n`)
const none = { keywords: [], verbs: [], patterns: [] }

describe('triggers', () => {
  it.each([
    [
      'triggers:\n  keywords: [pdf, 2024]\n  verbs: read, write\n  patterns: ["\\\\bpdf\\\\b"]',
      {
        keywords: ['pdf', '2024'],
        verbs: ['read', 'write'],
        patterns: ['\\bpdf\\b'],
      },
    ],
    ['triggers: {keywords: pdf}', { ...none, keywords: ['pdf'] }],
    ['triggers: {patterns: "a|b"}', { ...none, patterns: ['a|b'] }],
    ['triggers: {verbs: }', none],
    ['triggers: [read a pdf, "a, b", ""]', { ...none, keywords: ['read a pdf', 'a, b'] }],
    ['triggers: pdf, invoices', { ...none, keywords: ['pdf', 'invoices'] }],
    ['triggers: []', none],
    ['license: MIT', none],
  ])('[MAN-6] reads %j', async (rest, triggers) => {
    const { manifest, diagnostics } = await read(rest)
    expect(manifest?.triggers).toEqual(triggers)
    expect(manifest?.extra).toEqual({})
    expect(diagnostics).toEqual([])
  })

  it.each(['[{pattern: x}]', '{phrases: [a]}', '{keywords: {a: b}}', '{patterns: [1]}', '{patterns: [" "]}', '7'])(
    '[MAN-6] keeps %s under extra: another client means something else by it',
    async (value) => {
      const { manifest, diagnostics } = await read(`triggers: ${value}`)
      expect(manifest?.triggers).toEqual(none)
      expect(Object.keys(manifest?.extra ?? {})).toEqual(['triggers'])
      expect(diagnostics).toMatchObject([{ code: 'FIELD_TYPE', severity: 'warning', line: 4 }])
    },
  )

  it('[MAN-6] names a trigger that is not known, and reads the others', async () => {
    const { manifest, diagnostics } = await read('triggers:\n  keyword: a\n  verbs: [b]')
    expect(manifest?.triggers).toEqual({ ...none, verbs: ['b'] })
    expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'warning', line: 5 }])
  })

  it('[ABUSE-14] accepts a pattern that makes other engines hang', async () => {
    const { manifest, diagnostics } = await read('triggers: {patterns: ["(a|a)*b", "(x+x+)+y"]}')
    expect(manifest?.triggers.patterns).toEqual(['(a|a)*b', '(x+x+)+y'])
    expect(diagnostics).toEqual([])
  })

  it('[MAN-6, ABUSE-14] ignores a pattern that no linear engine can run, reports its line, and loads the skill', async () => {
    const bad = ['(a)\\1', '(?=a)b', '(?<!a)b', '[', '(', 'a**', 'a{1001}', 'x'.repeat(201), 'a{999}a{999}a{999}', 'a']
    const lines = bad.map((pattern) => `    - '${pattern}'`).join('\n')
    const { manifest, diagnostics } = await read(`triggers:\n  keywords: [k]\n  patterns:\n    - 'good.*'\n${lines}`)
    expect(manifest?.triggers).toEqual({ ...none, keywords: ['k'], patterns: ['good.*'] })
    expect(diagnostics).toMatchObject(
      bad.map((_, index) => ({ code: 'TRIGGER_PATTERN_INVALID', severity: 'warning', line: 8 + index })),
    )
    expect(diagnostics.every(({ message }) => message.length < 250)).toBe(true)
  })

  it('[ABUSE-14] says what is wrong with a pattern', async () => {
    const checkAll = await loadPatternChecker()
    const check = (pattern: string): string | undefined => {
      const [checked] = checkAll([pattern])
      return checked !== undefined && 'problem' in checked ? checked.problem : undefined
    }
    expect(check('(a)\\1')).toContain('\\1')
    expect(check('x'.repeat(200))).toBeUndefined()
    expect(check('x'.repeat(201))).toBe('has 201 characters of at most 200')
    expect(check('(\\d{10}){10}')).toBeUndefined()
    expect(check('a{99999999999999999999}')).toContain('repeat count')
    expect(check('(a{900}){2}')).toContain('repeat count')
    expect(check('a{900}a{900}')).toBeUndefined()
    expect(check('a{900}a{900}a{900}')).toBe("makes the skill's patterns larger than 2000 steps")
  })

  it('[MAN-6, ABUSE-14] keeps the patterns before the first that is too large, and reports each other', async () => {
    const part = (n: number): string => `(?:${'ab'.repeat(20)}){10}${n}`
    const patterns = [1, 2, 3, 4, 5].map(part).concat('small')
    const lines = patterns.map((pattern) => `    - '${pattern}'`).join('\n')
    const { manifest, diagnostics } = await read(`triggers:\n  patterns:\n${lines}`)
    expect(manifest?.triggers.patterns).toEqual([1, 2, 3, 4].map(part))
    const found = {
      code: 'TRIGGER_PATTERN_INVALID',
      severity: 'warning',
      message: expect.stringContaining('2000 steps.'),
    }
    expect(diagnostics).toMatchObject([
      { ...found, line: 10 },
      { ...found, line: 11 },
    ])
  })

  it('[MAN-6, ACT-11] keeps only patterns that are accepted again when messages are matched', async () => {
    const check = await loadPatternChecker()
    const piece = fc.constantFrom(
      'a',
      'bc',
      '\\d',
      '[x-z]',
      '(?:abcdefghij){9}',
      '(?:ab|cd|ef){20}',
      '.{0,30}',
      '(',
      '\\1',
    )
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { maxLength: 25 }), async (patterns) => {
        const { manifest, diagnostics } = await read(`triggers: {patterns: ${JSON.stringify(patterns)}}`)
        const kept = manifest!.triggers.patterns
        expect(check(kept).filter((checked) => !('engine' in checked))).toEqual([])
        // Whatever is dropped is reported.
        const told = diagnostics.filter(({ code }) => code === 'TRIGGER_PATTERN_INVALID').length
        expect(kept).toHaveLength(patterns.length - told)
      }),
      { numRuns: 60 },
    )
  })
})

describe('toolsets', () => {
  it.each([
    ['[./tools.js:Tools, "@acme/kit:Files$1"]', ['./tools.js:Tools', '@acme/kit:Files$1']],
    ['kit:Files', ['kit:Files']],
    ['["file:///x.js:Tools"]', ['file:///x.js:Tools']],
    ['[]', []],
  ])('[MAN-6] reads %s', async (value, toolsets) => {
    expect(await read(`toolsets: ${value}`)).toMatchObject({ manifest: { toolsets, extra: {} }, diagnostics: [] })
  })

  it.each(['[kit]', '[kit:]', '[":Tools"]', '[kit:1a]', '[kit:A, "kit: B"]', '[kit:A, 7]', '{kit: A}'])(
    '[MAN-6] brings nothing with %s, and keeps it under extra',
    async (value) => {
      const { manifest, diagnostics } = await read(`toolsets: ${value}`)
      expect(manifest?.toolsets).toEqual([])
      expect(Object.keys(manifest?.extra ?? {})).toEqual(['toolsets'])
      expect(diagnostics).toMatchObject([{ code: 'FIELD_TYPE', severity: 'warning', line: 4 }])
    },
  )
})
