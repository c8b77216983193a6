import { describe, expect, it } from 'vitest'
import { parseSkill, type Profile } from '../../src/internal.ts'

const PROFILES = ['strict', 'default', 'lenient'] as const
const HEAD = 'name: pdf\ndescription: Reads PDF files.'

/** The one diagnostic that a frontmatter after name and description gives, the same in each of the profiles. */
async function refusalOf(rest: string, head = HEAD, profiles: readonly Profile[] = PROFILES) {
  const results = await Promise.all(profiles.map((profile) => parseSkill(`---\n${head}\n${rest}\n---\n`, { profile })))
  for (const { manifest, diagnostics } of results) {
    expect(manifest).toBeUndefined()
    expect(diagnostics).toEqual(results[0]!.diagnostics)
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({ severity: 'error', message: expect.any(String) })
  }
  return results[0]!.diagnostics[0]!
}

describe('YAML', () => {
  it.each([
    ['an anchor', 'license: &a MIT', 'YAML_ALIAS'],
    ['an alias', 'license: *a', 'YAML_ALIAS'],
    ['an anchor on a mapping', 'metadata: &m\n  a: b', 'YAML_ALIAS'],
    ['an alias as a key', 'metadata:\n  *a : b', 'YAML_ALIAS'],
    ['what would expand to a billion', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]', 'YAML_ALIAS'],
  ])('[MAN-15, ABUSE-2] refuses %s', async (_, rest, code) => {
    expect((await refusalOf(rest)).code).toBe(code)
  })

  it('[MAN-15, ABUSE-3] refuses 40,000 keys by their size', async () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `key${index}: v`).join('\n')
    expect(await refusalOf(keys)).toMatchObject({ code: 'FRONTMATTER_TOO_LARGE', line: 1 })
  })

  it('[MAN-15, ABUSE-3] refuses what fits the size and holds too many parts', async () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `${index}:`).join('\n')
    expect((await refusalOf(keys)).code).toBe('YAML_TOO_COMPLEX')
  })

  it.each([
    ['flow lists', `a: ${'['.repeat(20_000)}`],
    ['closed flow lists', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['flow mappings', `a: ${'{a: '.repeat(7000)}`],
    ['block lists', `a:\n  ${'- '.repeat(15_000)}x`],
    ['explicit keys', '? '.repeat(15_000)],
    ['indented mappings', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('[MAN-15, ABUSE-4] refuses %s nested past any use', async (_, rest) => {
    expect((await refusalOf(rest)).code).toBe('YAML_TOO_COMPLEX')
  })

  it('[MAN-15] reads what is nested 30 levels deep', async () => {
    const { manifest } = await parseSkill(`---\n${HEAD}\nother: ${'['.repeat(30)}${']'.repeat(30)}\n---\n`)
    expect(JSON.stringify(manifest?.extra.other)).toBe('['.repeat(30) + ']'.repeat(30))
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    '[MAN-15, ABUSE-5] refuses the key %s at any depth',
    async (key) => {
      for (const rest of [
        `${key}: {polluted: yes}`,
        `"${key}": x`,
        `metadata:\n  ${key}: x`,
        `other: [1, {a: {${key}: {polluted: true}}}]`,
        `? ${key}\n: x`,
      ]) {
        expect(await refusalOf(rest)).toMatchObject({ code: 'YAML_KEY_INVALID', message: expect.stringContaining(key) })
      }
      expect({}).not.toHaveProperty('polluted')
    },
  )

  it.each(['toString', 'hasOwnProperty', 'valueOf'])(
    '[MAN-3, ABUSE-5] keeps %s as a mere unknown field',
    async (key) => {
      const { manifest, diagnostics } = await parseSkill(`---\n${HEAD}\n${key}: x\nmetadata: {${key}: y}\n---\n`)
      expect(Object.entries(manifest!.extra)).toEqual([[key, 'x']])
      expect(Object.entries(manifest!.metadata)).toEqual([[key, 'y']])
      expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'info', line: 4 }])
    },
  )

  it.each([
    ['at the top', 'license: MIT\nlicense: MIT', 5],
    ['in a block mapping', 'metadata:\n  a: 1\n  a: 1', 6],
    ['in a flow mapping', 'metadata: {a: 1, b: 2, a: 3}', 4],
    ['in another spelling', 'metadata: {a: 1, "a": 3}', 4],
    ['deep inside an unknown field', 'other: [{a: {b: 1, b: 1}}]', 4],
  ])('[MAN-15, ABUSE-6] refuses a key that stands twice %s', async (_, rest, line) => {
    expect(await refusalOf(rest)).toMatchObject({ code: 'YAML_KEY_DUPLICATE', line })
  })

  it.each([
    ['a directive', '%YAML 1.1', 'YAML_DIRECTIVE', ''],
    ['a local tag', 'license: !evil MIT', 'YAML_TAG', HEAD],
    ['a global tag', 'license: !!str MIT', 'YAML_TAG', HEAD],
    ['a constructor tag', "license: !!js/function 'function () {}'", 'YAML_TAG', HEAD],
    ['a merge key', '<<: {a: b}', 'YAML_KEY_INVALID', HEAD],
    ['a merge key deep inside', 'metadata: {<<: {a: b}}', 'YAML_KEY_INVALID', HEAD],
    ['a second document', '--- {a: b}', 'YAML_DOCUMENTS', HEAD],
    ['the end of a document', '...\na: b', 'YAML_DOCUMENTS', HEAD],
    ['a list as a key', '? [a]\n: b', 'YAML_KEY_INVALID', HEAD],
    ['a list as a key in JSON style', 'metadata: {"a":{["b"],"c":1}}', 'YAML_KEY_INVALID', HEAD],
  ])('[MAN-15, ABUSE-7] refuses %s', async (_, rest, code, head) => {
    expect((await refusalOf(rest, head)).code).toBe(code)
  })

  it.each([
    ['a list', '- a\n- b'],
    ['text', 'just words'],
    ['a number', '42'],
    ['null', '# a comment'],
    ['nothing', ''],
  ])('[MAN-2] refuses a frontmatter that is %s', async (_, text) => {
    const { manifest, diagnostics } = await parseSkill(`---\n${text}\n---\n`)
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'YAML_NOT_MAPPING', severity: 'error', line: 2 }])
  })

  it.each([
    ['the first field', 'name:\u00A0pdf\ndescription: Reads PDFs.', 'name:', 'U+00A0'],
    ['another field', 'name: pdf\ndescription:\u3000Reads PDFs.', 'description:', 'U+3000'],
    ['every field', 'name:\u00A0pdf\ndescription:\u00A0Reads PDFs.', 'name:', 'U+00A0'],
  ])('[MAN-2] names a blank that is no space behind the colon of %s', async (_, text, field, blank) => {
    const { diagnostics } = await parseSkill(`---\n${text}\n---\n`)
    expect(diagnostics[0]?.hint).toContain(`Write a plain space behind "${field}", in place of ${blank}`)
    const { manifest } = await parseSkill(`---\n${text.replaceAll(/[\u00A0\u3000]/g, ' ')}\n---\n`)
    expect(manifest?.description).toBe('Reads PDFs.')
  })

  it('[MAN-9] takes closing brackets at the margin, and no other content there', async () => {
    const { manifest } = await parseSkill(`---\n${HEAD}\na: [\n  b,\n]\nc: {\n  d: [{\n}\n]\n}\n---\n`)
    expect(manifest?.extra).toEqual({ a: ['b'], c: { d: [{}] } })
    expect(await refusalOf('a: [\nb\n]')).toMatchObject({ code: 'YAML_INVALID', line: 5 })
  })

  it('[MAN-2] refuses two fences with nothing between them', async () => {
    expect((await parseSkill('---\n---\n')).diagnostics).toMatchObject([{ code: 'YAML_NOT_MAPPING' }])
  })

  it.each([
    ['a quote that is not closed', 'license: "MIT', 4],
    ['a list that is not closed', 'tags: [a, b', 5],
    ['a tab as indentation', 'metadata:\n\ta: b', 5],
    ['a line without a key', 'license: MIT\noops', 5],
  ])('[MAN-2] names the line of %s', async (_, rest, line) => {
    expect(await refusalOf(rest, HEAD, ['strict', 'default'])).toMatchObject({ code: 'YAML_INVALID', line })
  })

  it('[MAN-3] reads by YAML 1.2: yes, on and 012 are not what they were in 1.1', async () => {
    const { manifest } = await parseSkill(`---\n${HEAD}\na: yes\nb: on\nc: 012\nd: 0o14\ne: 1e3\nf: ~\n---\n`)
    expect(manifest?.extra).toEqual({ a: 'yes', b: 'on', c: 12, d: 12, e: 1000, f: null })
  })
})
