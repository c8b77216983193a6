import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../src/fields/fields.ts'
import { type Profile } from '../../src/internal.ts'
import { parseMetadata } from '@repertoire/skill-md/internal/parser'
import { frontmatterJsonSchema, loadFrontmatterSchema } from '../../src/index.ts'
import { runs } from '@repertoire/test-servers/properties'

const file = new URL('../../../core/schema/skill-frontmatter.schema.json', import.meta.url)
const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(published)

/** What no schema is told: which clients there are. */
const BEYOND_A_SCHEMA = new Set(['NAME_NOT_PORTABLE'])

/** Whether the parser has nothing to say that is worse than information. JSON is YAML without a doubt about types. */
async function isSilent(frontmatter: Readonly<Record<string, unknown>>, profile: Profile): Promise<boolean> {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const bytes = new TextEncoder().encode(`---\n${lines.join('')}---\nBody.\n`)
  const place = { path: 'SKILL.md', fileName: 'SKILL.md', profile }
  const { diagnostics } = await parseMetadata(bytes, bytes.length, place)
  return diagnostics.every(({ code, severity }) => severity === 'info' || BEYOND_A_SCHEMA.has(code))
}

const good = { name: 'pdf', description: 'Reads PDF files.' }

/** Values at and beyond every limit, good and bad, for any field. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom(
    '',
    ' ',
    'a',
    'a-b',
    'a--b',
    'A',
    '-a',
    'con',
    'com1',
    'мой-навык',
    'ﬁ',
    'a\u200Bb',
    '👩‍💻',
    'x\u202Ey',
    '2024-01-01',
  ),
  fc.constantFrom(
    'active',
    'disabled',
    'script',
    'fork',
    'inherit',
    'true',
    'false',
    'Read',
    'Read Bash(git:*)',
    'Read, Write',
  ),
  fc.constantFrom(
    'Bash(',
    '*',
    'string',
    'object',
    'kit:Files',
    ' kit:Files ',
    'kit: Files',
    '[file] [mode]',
    '[a',
    '(a|a)*b',
  ),
  fc.constantFrom(
    'x'.repeat(64),
    'x'.repeat(65),
    '😀'.repeat(500),
    '😀'.repeat(501),
    'y'.repeat(1024),
    'y'.repeat(1025),
  ),
)
const scalar = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.constantFrom(true, false, null, 0, -3, 1.5, 1e21, 9007199254740992),
)
const keys = fc.constantFrom(
  'pre',
  'post',
  'agents',
  'tenants',
  'keywords',
  'verbs',
  'type',
  'properties',
  'required',
  'file',
  'x\u200Bz',
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, weight: 3, arbitrary: scalar },
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(keys, tie('any'), { maxKeys: 3 }),
    fc.dictionary(keys, text, { maxKeys: 2 }),
    fc.record({ type: fc.constant('object'), properties: tie('any') }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constantFrom('string', 'path'), required: tie('any') }, { requiredKeys: ['type'] }),
  ),
})).any
const frontmatter = (fieldNames: readonly string[]) =>
  fc
    .dictionary(fc.constantFrom(...fieldNames), value, { maxKeys: 3 })
    .map((fields): Readonly<Record<string, unknown>> => ({ ...good, ...fields }))

describe('the schema of the frontmatter', { timeout: 60_000 }, () => {
  it.each(['strict', 'default'] as const)(
    '[MAN-16] takes what the parser reads without an error or a warning: %s',
    async (profile) => {
      const schema = await loadFrontmatterSchema(profile)
      let taken = 0
      await fc.assert(
        fc.asyncProperty(frontmatter([...FIELDS.keys(), 'version']), async (fields) => {
          if (!(await isSilent(fields, profile))) return
          taken++
          expect([schema.safeParse(fields).success, fields]).toEqual([true, fields])
        }),
        { numRuns: runs(2000) },
      )
      expect(taken).toBeGreaterThan(10)
    },
  )

  it('[MAN-16] is the same as JSON Schema, but for what that cannot say', async () => {
    const schema = await loadFrontmatterSchema()
    fc.assert(
      fc.property(frontmatter([...FIELDS.keys(), 'version']), (fields) => {
        if (schema.safeParse(fields).success) expect([validate(fields), fields]).toEqual([true, fields])
      }),
      { numRuns: runs(3000) },
    )
  })

  it.each([
    [{ description: 'x' }],
    [{ ...good, name: 'My Skill' }],
    [{ ...good, name: 'con' }],
    [{ ...good, name: 'x'.repeat(65) }],
    [{ ...good, name: 2024 }],
    [{ ...good, description: ' ' }],
    [{ ...good, description: 'y'.repeat(1025) }],
    [{ ...good, compatibility: 'y'.repeat(501) }],
    [{ ...good, metadata: { a: ['b'] } }],
    [{ ...good, 'allowed-tools': ['Read'] }],
    [{ ...good, type: 'macro' }],
    [{ ...good, status: null }],
    [{ ...good, priority: 1.5 }],
    [{ ...good, hooks: { before: 'x' } }],
    [{ ...good, scope: { agent: ['a'] } }],
    [{ ...good, toolsets: ['kit'] }],
    [{ ...good, triggers: { patterns: [''] } }],
    [{ ...good, parameters: ['file'] }],
    [{ ...good, 'disable-model-invocation': 'yes' }],
    [{ ...good, scope: 'production' }],
    [{ ...good, scope: { tenent: ['a'] } }],
    [{ ...good, hooks: { pree: 'x' } }],
    [{ ...good, 'disallowed-tools': true }],
  ])('[MAN-16] refuses %j, as JSON Schema too', async (fields) => {
    const schema = await loadFrontmatterSchema()
    expect(schema.safeParse(fields).success).toBe(false)
    expect(validate(fields)).toBe(false)
    expect(await isSilent(fields, 'default')).toBe(false)
  })

  it.each([
    [{ 'allowed-tools': 'Read Bash(git:*) mcp__github__* Bash(echo (a (b)))' }],
    [{ 'disallowed-tools': ['Bash(git push:*)', 'mcp__a__b', ' Read '] }],
    [{ 'disallowed-tools': 'Bash, Read(a, b)' }],
    [{ state: 'active', score: 5, tools: ['claude'], models: ['a'], 'required-tools': 'Bash', 'allowed-hosts': 'a.b' }],
    [{ metadata: { tools: 'Read', version: '1.0' } }],
  ])('[MAN-16] takes %j, as JSON Schema too', async (fields) => {
    const schema = await loadFrontmatterSchema()
    expect(schema.safeParse({ ...good, ...fields }).success).toBe(true)
    expect(validate({ ...good, ...fields })).toBe(true)
    expect(await isSilent({ ...good, ...fields }, 'default')).toBe(true)
  })

  it('[MAN-16] explains every field', () => {
    const properties = published['properties'] as Record<string, { description?: string }>
    expect(Object.keys(properties)).toEqual([...FIELDS.keys()])
    for (const [key, { summary }] of FIELDS) expect(properties[key]?.description).toBe(summary)
  })

  it('[MAN-16] has every field on the page about skill files, with the profile that knows it', () => {
    const page = readFileSync(new URL('../../../../docs/skill-files.md', import.meta.url), 'utf8')
    const [, table = ''] = /## Fields\n\n([\s\S]*?)\n\n/.exec(page) ?? []
    const rows = table.split('\n').flatMap((row) => {
      const [, names = '', , strict = ''] = row.split('|').map((cell) => cell.trim())
      return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => [name, strict])
    })
    const known = [...FIELDS].map(([name, { isStandard }]) => [name, isStandard ? 'yes' : 'no'])
    expect(rows.filter(([name]) => name !== 'strict')).toEqual(known)
  })

  it('[DISC-7] has every field in the bundled skill about writing skills', () => {
    const path = new URL('../../../core/skills/write-a-skill/references/fields.md', import.meta.url)
    const cells =
      readFileSync(path, 'utf8')
        .match(/^\| .*?\|/gm)
        ?.join('') ?? ''
    expect([...FIELDS.keys()].filter((name) => !cells.includes(`\`${name}\``))).toEqual([])
  })

  it('[MAN-16] is published as it is now; "npm run schema" in packages/core writes it', async () => {
    expect(published).toEqual(await frontmatterJsonSchema())
  })

  it('[MAN-16] of strict knows the standard alone', async () => {
    const { properties, additionalProperties } = await frontmatterJsonSchema('strict')
    expect(Object.keys(properties as object)).toEqual([
      'name',
      'description',
      'license',
      'compatibility',
      'metadata',
      'allowed-tools',
    ])
    expect(additionalProperties).toBe(false)
  })
})
