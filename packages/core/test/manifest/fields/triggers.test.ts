import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../../src/manifest/parse.ts'
import { loadPatternChecker } from '../../../src/manifest/fields/trigger-pattern.ts'

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

  it('[ABUSE-14] takes a pattern that makes other engines hang', async () => {
    const { manifest, diagnostics } = await read('triggers: {patterns: ["(a|a)*b", "(x+x+)+y"]}')
    expect(manifest?.triggers.patterns).toEqual(['(a|a)*b', '(x+x+)+y'])
    expect(diagnostics).toEqual([])
  })

  it('[MAN-6, ABUSE-14] leaves out a pattern that no linear engine runs, says where it stands, and loads the skill', async () => {
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
    const check = await loadPatternChecker()
    expect(check('(a)\\1')).toContain('\\1')
    expect(check('😀'.repeat(200))).toBeUndefined()
    expect(check('😀'.repeat(201))).toBe('has 201 characters of at most 200')
    expect(check('(\\d{10}){10}')).toBeUndefined()
    expect(check('(\\d{10}){11}')).toBe('repeats more than 100 times')
    expect(check('a{99999999999999999999}')).toBe('repeats more than 100 times')
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
