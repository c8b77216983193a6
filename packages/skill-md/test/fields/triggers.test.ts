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
    const bad = ['(a)\\1', '(?=a)b', '(?<!a)b', '[', '(', 'a**', 'a{1001}', '(a{20}){20}', 'x'.repeat(201)]
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
    expect(check('😀'.repeat(200))).toBeUndefined()
    expect(check('😀'.repeat(201))).toBe('has 201 characters of at most 200')
    expect(check('(\\d{10}){10}')).toBeUndefined()
    expect(check('(\\d{10}){11}')).toBe('repeats more than 100 times')
    expect(check('a{99999999999999999999}')).toBe('repeats more than 100 times')
    expect(check(`(?:${'ab'.repeat(24)}){10}`)).toBeUndefined()
    expect(check(`(?:${'ab'.repeat(26)}){10}`)).toMatch(/^is compiled to 5\d\d steps of at most 500$/)
  })

  it('[MAN-6, ABUSE-14] says which patterns are too large, alone or with those before them, and keeps the rest', async () => {
    const large = `(?:${'ab'.repeat(30)}){10}`
    const half = (n: number): string => `(?:${'ab'.repeat(20)}){10}${n}`
    const patterns = [large, ...[1, 2, 3, 4, 5].map(half), 'small']
    const lines = patterns.map((pattern) => `    - '${pattern}'`).join('\n')
    const { manifest, diagnostics } = await read(`triggers:\n  patterns:\n${lines}`)
    expect(manifest?.triggers.patterns).toEqual([1, 2, 3, 4].map(half).concat('small'))
    expect(diagnostics).toMatchObject([
      {
        code: 'TRIGGER_PATTERN_INVALID',
        severity: 'warning',
        line: 6,
        message: expect.stringMatching(/is compiled to \d+ steps of at most 500\.$/),
        hint: 'It has no effect. Write it shorter, with fewer counted repetitions and alternatives.',
      },
      {
        code: 'TRIGGER_PATTERN_INVALID',
        severity: 'warning',
        line: 11,
        message: expect.stringMatching(
          /is compiled to \d+ steps, and those before it leave \d+ of the skill's 2000\.$/,
        ),
      },
    ])
  })

  it('[MAN-6, ABUSE-14] keeps the first twenty patterns, and reports where those without effect begin', async () => {
    const written = (count: number): string =>
      `triggers:\n  patterns:\n${Array.from({ length: count }, (_, n) => `    - p${n}`).join('\n')}`
    const { manifest, diagnostics } = await read(written(23))
    expect(manifest?.triggers.patterns).toEqual(Array.from({ length: 20 }, (_, n) => `p${n}`))
    expect(diagnostics).toEqual([
      {
        code: 'TRIGGER_PATTERNS_MANY',
        severity: 'warning',
        path: 'SKILL.md',
        line: 26,
        message: 'The skill has 23 trigger patterns; those after the first 20 have no effect.',
        hint: 'Join some with "|", or write plain words under "keywords" and "verbs".',
      },
    ])
    expect((await read(written(20))).diagnostics).toEqual([])
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
        expect(kept).toHaveLength(Math.min(patterns.length, 20) - told)
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
