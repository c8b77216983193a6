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
const BEYOND_A_SCHEMA = new Set(['NAME_NOT_PORTABLE', 'NAME_MIXED_SCRIPTS'])

/** Whether the parser has nothing to say that is worse than information. JSON is YAML without a doubt about types. */
async function isSilent(frontmatter: Readonly<Record<string, unknown>>, profile: Profile): Promise<boolean> {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const bytes = new TextEncoder().encode(`---\n${lines.join('')}---\nBody.\n`)
  const place = { path: 'SKILL.md', fileName: 'SKILL.md', profile }
  const head = (length: number): Uint8Array => bytes.subarray(0, length)
  const { diagnostics } = await parseMetadata({ size: bytes.length, head }, place)
  return diagnostics.every(({ code, severity }) => severity === 'info' || BEYOND_A_SCHEMA.has(code))
}

/** Whether the parser reads the skill. */
async function isLoaded(frontmatter: Readonly<Record<string, unknown>>): Promise<boolean> {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const bytes = new TextEncoder().encode(`---\n${lines.join('')}---\nBody.\n`)
  const place = { path: 'SKILL.md', fileName: 'SKILL.md', profile: 'default' } as const
  const { manifest } = await parseMetadata({ size: bytes.length, head: (length) => bytes.subarray(0, length) }, place)
  return manifest !== undefined
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
  it('[MAN-16] takes exactly what the parser reads without an error or a warning: default', async () => {
    const schema = await loadFrontmatterSchema()
    await fc.assert(
      fc.asyncProperty(frontmatter([...FIELDS.keys(), 'version', 'allowed_tools', 'whenToUse']), async (fields) => {
        expect([schema.safeParse(fields).success, fields]).toEqual([await isSilent(fields, 'default'), fields])
      }),
      { numRuns: runs(3000) },
    )
  })

  it('[MAN-16] takes exactly what the parser reads without an error or a warning: strict', async () => {
    const schema = await loadFrontmatterSchema('strict')
    await fc.assert(
      fc.asyncProperty(frontmatter([...FIELDS.keys(), 'version']), async (fields) => {
        expect([schema.safeParse(fields).success, fields]).toEqual([await isSilent(fields, 'strict'), fields])
      }),
      { numRuns: runs(1000) },
    )
  })

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
    [{ ...good, agent: 'Plan' }],
    [{ ...good, agent: 'Plan', context: 'inherit' }],
    [{ ...good, hooks: {} }],
    [{ ...good, hooks: { before: 'x' } }],
    [{ ...good, scope: { agent: ['a'] } }],
    [{ ...good, toolsets: ['kit'] }],
    [{ ...good, triggers: { patterns: [''] } }],
    [{ ...good, parameters: { type: 'string' } }],
    [{ ...good, parameters: { file: { kind: 'x' } } }],
    [{ ...good, 'disable-model-invocation': 'yes' }],
    [{ ...good, allowed_tools: 'Read' }],
    [{ ...good, allowedTools: 'Read' }],
    [{ ...good, 'alowed-tools': 'Read' }],
    [{ ...good, 'deny-tools': 'Bash' }],
    [{ ...good, disable_model_invocation: true }],
    [{ ...good, 'disable-model-invokation': true }],
    [{ ...good, Scop: { agents: ['a'] } }],
    [{ ...good, scpoe: 'production' }],
    [{ ...good, scope: 'production' }],
    [{ ...good, scope: { tenent: ['a'] } }],
    [{ ...good, stauts: 'disabled' }],
    [{ ...good, hooks: { pree: 'x' } }],
    [{ ...good, tools: 'Read, Grep' }],
    [{ ...good, tools: ['Read', 'WebFetch'] }],
    [{ ...good, tool: 'Read' }],
    [{ ...good, disabled: true }],
    [{ ...good, enabled: false }],
    [{ ...good, 'scope.agents': ['a'] }],
    [{ ...good, 'tools-denied': 'Bash' }],
    [{ ...good, metadata: { 'allowed-tools': 'Read' } }],
    [{ ...good, 'allowed-tools': '*' }],
    [{ ...good, 'allowed-tools': 'Bash(git' }],
    [{ ...good, 'allowed-tools': 'Read)' }],
    [{ ...good, 'allowed-tools': 'Bash(a)(b)' }],
    [{ ...good, 'allowed-tools': 'Bash( )' }],
    [{ ...good, 'allowed-tools': 'Bash(:*)' }],
    [{ ...good, 'allowed-tools': 'Bash(git:* push)' }],
    [{ ...good, 'allowed-tools': 'Read*' }],
    [{ ...good, 'disallowed-tools': ['Bash', 'Bash('] }],
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
    [{ scopes: ['read', 'write'] }],
    [{ scopes: { read: 'all' } }],
    [{ state: 'active', score: 5, tools: ['claude'], models: ['a'], 'required-tools': 'Bash', 'allowed-hosts': 'a.b' }],
    [{ metadata: { tools: 'Read', version: '1.0' } }],
  ])('[MAN-16] takes %j, as JSON Schema too', async (fields) => {
    const schema = await loadFrontmatterSchema()
    expect(schema.safeParse({ ...good, ...fields }).success).toBe(true)
    expect(validate({ ...good, ...fields })).toBe(true)
    expect(await isSilent({ ...good, ...fields }, 'default')).toBe(true)
  })

  it('[MAN-16] [ABUSE-133] refuses every misspelled restriction that the parser refuses', async () => {
    const schema = await loadFrontmatterSchema()
    const restricting = [...FIELDS].filter(([, { restricts }]) => restricts === true).map(([name]) => name)
    const letter = fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz'))
    const edit = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('add', 'drop', 'swap', 'replace', '_', 'case'),
      letter,
    })
    const edited = (
      name: string,
      { at, kind, letter: other }: { at: number; kind: string; letter: string },
    ): string => {
      const index = at % name.length
      const [before, here, after] = [name.slice(0, index), name.charAt(index), name.slice(index + 1)]
      if (kind === 'add') return `${before}${other}${here}${after}`
      if (kind === 'drop') return `${before}${after}`
      if (kind === 'swap') return `${before}${after.charAt(0)}${here}${after.slice(1)}`
      if (kind === 'replace') return `${before}${other}${after}`
      return kind === '_' ? name.replaceAll('-', '_') : `${before}${here.toUpperCase()}${after}`
    }
    const values = fc.constantFrom<unknown>(
      'Read',
      'disabled',
      'production',
      true,
      ['a'],
      { tenants: ['a'] },
      { read: 'a' },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...restricting),
        fc.array(edit, { minLength: 1, maxLength: 2 }),
        values,
        async (name, edits, held) => {
          const fields = { ...good, [edits.reduce(edited, name)]: held }
          expect([schema.safeParse(fields).success, fields]).toEqual([await isSilent(fields, 'default'), fields])
          // One edit: JSON Schema says the same of all that the parser refuses.
          if (edits.length > 1 || edits[0]!.kind === 'swap') return
          if (!(await isLoaded(fields))) expect([validate(fields), fields]).toEqual([false, fields])
        },
      ),
      { numRuns: runs(3000) },
    )
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
    const known = [...FIELDS].map(([name, { origin }]) => [name, origin === 'standard' ? 'yes' : 'no'])
    expect(rows.filter(([name]) => name !== 'strict')).toEqual(known)
    const [, leftOut = ''] = /if it only describes the skill \((.*), a field that is not known\)/.exec(page) ?? []
    const dispensable = [...FIELDS].flatMap(([name, field]) => (field.dispensable === true ? [`\`${name}\``] : []))
    expect(leftOut.split(', ').toSorted()).toEqual(dispensable.toSorted())
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
