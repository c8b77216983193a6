import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dump } from 'js-yaml'
import { type Manifest, type ToolRule, formatRule, parseSkill } from '../src/internal.ts'
import { parseDocument, parseMetadata } from '@repertoire/skill-md/internal/parser'
import { MANIFEST_CODES } from '../src/ports/diagnostic.ts'
import { FIELDS, findMeant } from '../src/fields/fields.ts'
import { countCodePoints } from '../src/fields/field-value.ts'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'

const profile = fc.constantFrom('strict', 'default', 'lenient')
const codes = new Set(Object.keys(MANIFEST_CODES))

/** What holds of every result, whatever the bytes. */
async function expectAnswer(bytes: Uint8Array, chosen: 'strict' | 'default' | 'lenient') {
  const context = { path: 'a/SKILL.md', folderName: 'a', fileName: 'SKILL.md', profile: chosen }
  const document = await parseDocument(bytes, context)
  const metadata = await parseMetadata(bytes, bytes.length, context)
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error')
  expect(errors.length === 0).toBe(document.manifest !== undefined)
  expect(document.body !== undefined).toBe(document.manifest !== undefined)
  const lines = bytes.filter((byte) => byte === 0x0a).length + 1
  for (const { code, line = 1, message, path } of [...document.diagnostics, ...metadata.diagnostics]) {
    expect(codes).toContain(code)
    expect(path).toBe('a/SKILL.md')
    expect(line).toBeGreaterThan(0)
    expect(line).toBeLessThanOrEqual(lines)
    expect(message).toMatch(/\.$/)
  }
  // The body can only add to what the metadata says.
  expect(document.diagnostics.slice(0, metadata.diagnostics.length)).toEqual(metadata.diagnostics)
  if (document.manifest !== undefined) expect(document.manifest).toEqual(metadata.manifest)
}

describe('whatever the file holds', { timeout: 60_000 }, () => {
  it('[MAN-15] bytes give a manifest or an error, and never an exception', async () => {
    const soup = fc
      .array(
        fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.constantFrom('---\n', '\r\n', 'name: ', 'x: [', '\uFEFF', '\n')),
      )
      .map((parts) => parts.flatMap((part) => [...(typeof part === 'string' ? new TextEncoder().encode(part) : part)]))
    await fc.assert(
      fc.asyncProperty(soup, profile, (bytes, chosen) => expectAnswer(Uint8Array.from(bytes), chosen)),
      { numRuns: runs(300) },
    )
  })

  it('[MAN-15] frontmatters give a manifest or an error, and never an exception', async () => {
    const key = fc.oneof(
      fc.constantFrom('name', 'description', 'allowed-tools', 'metadata', 'scope', 'hooks', 'type', 'status', 'tags'),
      fc.constantFrom('disallowed-tools', 'parameters', 'triggers', 'toolsets', 'argument-hint', 'user-invocable'),
      fc.constantFrom('__proto__', 'constructor', '<<', '? a', '- a', '"', "'", '[', '%', '', ' name', '\tname', 'x'),
      fc.string({ maxLength: 4 }),
    )
    const value = fc.oneof(
      fc.constantFrom('a', 'a: b', '[a] [b]', '@a', '&a b', '*a', '!a b', '|', '>', '{a: b', '[a', '"a', "'a", 'a # b'),
      fc.constantFrom(
        'true',
        '~',
        '1e3',
        '2024-01-01',
        '"\\uD800"',
        '"\\0"',
        '{a: {b: [c]}}',
        'Bash(git:*',
        '- a',
        '---',
      ),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    )
    const entry = fc.tuple(fc.constantFrom('', '', '  ', '\t'), key, fc.constantFrom(': ', ':', ' ', ':\n  '), value)
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), profile, fc.boolean(), async (entries, chosen, named) => {
        const lines = entries.map((parts) => parts.join('')).join('\n')
        const text = `---\n${named ? 'name: a\ndescription: b\n' : ''}${lines}\n---\nBody`
        await expectAnswer(new TextEncoder().encode(text), chosen)
      }),
      { numRuns: runs(600) },
    )
  })

  it('[MAN-15] strings, with lone surrogates or not, are answered too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), async (text) => {
        const { manifest, diagnostics } = await parseSkill(`---\nname: a\ndescription: b\n---\n${text}`)
        expect(manifest === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
        expect(manifest === undefined).toBe(/\p{Cs}|\0/u.test(text))
      }),
    )
  })

  it('[MAN-3] strict loads nothing that default does not, and default nothing that lenient does not', async () => {
    const line = fc.oneof(
      fc.constantFrom('license: MIT', 'license: 1', 'compatibility: ""', 'metadata: {a: [b]}', 'a: b: c', 'x: y'),
      fc.constantFrom('tags: [a]', 'status: draft', 'status: x', 'type: q', 'scope: x', 'hooks: {pre: true}'),
      fc.constantFrom('allowed-tools: Read', 'allowed-tools: Read, Write', 'allowed-tools: Read('),
      fc.constantFrom('disallowed-tools: Read', 'disallowed-tools: [Read(]', 'disable-model-invocation: yes'),
      fc.constantFrom('triggers: [a]', 'triggers: {patterns: ["(?=a)"]}', 'parameters: 7', 'toolsets: [a]'),
    )
    const name = fc.constantFrom('a', 'A', 'a/b', '../a', 'CON', '技', '12', '"12"', '')
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(line),
        name,
        fc.constantFrom('SKILL.md', 'skill.md'),
        async (lines, named, fileName) => {
          const bytes = new TextEncoder().encode(`---\nname: ${named}\ndescription: b\n${lines.join('\n')}\n---\n`)
          const loads = async (chosen: 'strict' | 'default' | 'lenient') =>
            (await parseDocument(bytes, { path: 'x', fileName, profile: chosen })).manifest !== undefined
          const [strict, byDefault, lenient] = [await loads('strict'), await loads('default'), await loads('lenient')]
          expect([strict, byDefault, lenient]).toEqual([strict, strict || byDefault, strict || byDefault || lenient])
        },
      ),
    )
  })
})

describe('what was written', { timeout: 60_000 }, () => {
  /** Text that the frontmatter carries unchanged: no blanks at its ends, no control but tab and line feed. */
  const text = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('\n', '\t', ': ', ' #', "'", '"', '- ', '\\', '---'),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
    })
    .map((value) => value.replaceAll(/[^\P{C}\n\t]/gu, '').trim())
    .filter((value) => value !== '')
  const word = text.map((value) => value.replaceAll(/[\n\t,]/g, ' ').trim()).filter((value) => value !== '')
  const visible = word
    .map((value) => value.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').trim())
    .filter((value) => value !== '')
  const rule: fc.Arbitrary<ToolRule> = fc.oneof(
    fc.record({ tool: fc.stringMatching(/^[A-Z][a-z]{0,6}$/) }),
    fc.record({
      tool: fc.stringMatching(/^[A-Z][a-z]{0,6}$/),
      pattern: fc.stringMatching(/^[a-z]+(?: [a-z-]+)*(?::\*)?$/),
    }),
  )
  const json = fc
    .jsonValue({ maxDepth: 3 })
    .filter((value) => !/__proto__|constructor|prototype|<</.test(JSON.stringify(value)))
  const key = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/).filter((value) => !['constructor', 'prototype'].includes(value))
  const unknown = key.filter((value) => !FIELDS.has(value) && findMeant(value) === undefined)
  const manifests: fc.Arbitrary<Manifest> = fc
    .record(
      {
        name: fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/),
        description: text.filter((value) => countCodePoints(value) <= 1024),
        license: text,
        compatibility: text.filter((value) => countCodePoints(value) <= 500),
        metadata: fc.dictionary(
          key,
          fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll(/\p{C}/gu, '')),
        ),
        allowedTools: fc.array(rule),
        type: fc.constantFrom('instruction', 'composite', 'script', 'template'),
        status: fc.constantFrom('active', 'draft', 'disabled'),
        model: visible,
        context: fc.constantFrom('inherit', 'fork'),
        agent: visible,
        hooks: fc.record({ pre: fc.array(visible), post: fc.array(visible) }),
        priority: fc.integer(),
        tags: fc.array(visible),
        scope: fc.record(
          { agents: fc.array(visible), tenants: fc.array(visible), environments: fc.array(visible) },
          { requiredKeys: [] },
        ),
        parameters: fc.oneof(
          fc.record({ type: fc.constant('object'), properties: fc.dictionary(key, fc.dictionary(key, json)) }),
          fc.dictionary(key, json).map((schema) => ({ type: 'object', ...schema, properties: {}, required: [] })),
        ),
        source: visible,
        createdBy: visible,
        toolsets: fc.array(fc.stringMatching(/^[@./a-z]{1,8}:[A-Z][a-z0-9]{0,6}$/)),
        triggers: fc.record({
          keywords: fc.array(visible),
          verbs: fc.array(visible),
          patterns: fc.array(fc.constantFrom('(a|a)*b', String.raw`\bpdf\b`, '[a-z]+ file', 'a: #b')),
        }),
        argumentHint: text,
        whenToUse: text,
        disableModelInvocation: fc.boolean(),
        userInvocable: fc.boolean(),
        disallowedTools: fc.array(rule),
        extra: fc.dictionary(unknown, json),
      },
      {
        requiredKeys: [
          'name',
          'description',
          'metadata',
          'type',
          'status',
          'context',
          'hooks',
          'priority',
          'tags',
          'scope',
          'toolsets',
          'triggers',
          'disableModelInvocation',
          'userInvocable',
          'extra',
        ],
      },
    )
    .map(({ agent, ...manifest }) =>
      manifest.context === 'fork' && agent !== undefined ? { ...manifest, agent } : manifest,
    )

  it('[MAN-3, MAN-4, MAN-5, MAN-6, MAN-7] comes back field by field', async () => {
    await fc.assert(
      fc.asyncProperty(
        manifests,
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\n', '\r\n'),
        async (manifest, raw, end) => {
          const { extra, allowedTools, disallowedTools, createdBy, argumentHint, whenToUse, ...same } = manifest
          const { disableModelInvocation, userInvocable, ...fields } = same
          const body = raw.replaceAll('\0', '')
          const renamed = {
            'allowed-tools': allowedTools?.map(formatRule).join(' '),
            'disallowed-tools': disallowedTools?.map(formatRule),
            'created-by': createdBy,
            'argument-hint': argumentHint,
            when_to_use: whenToUse,
            'disable-model-invocation': disableModelInvocation,
            'user-invocable': userInvocable,
          }
          const options = { noRefs: true, lineWidth: 40, skipInvalid: true }
          const front = dump({ ...fields, ...renamed, ...extra }, options)
          const written = `---\n${front}---\n`.replaceAll('\n', end)
          // A frontmatter that a random value blew up is another test's matter.
          fc.pre(written.length < 8000)
          const place = { path: 'x', fileName: 'SKILL.md', folderName: manifest.name, profile: 'default' } as const
          const bytes = new TextEncoder().encode(`${written}${body}`)
          const metadata = await parseMetadata(bytes, bytes.length, place)
          expect(metadata.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
          expect(metadata.manifest).toEqual(manifest)
          // The other types want a body of theirs.
          if (manifest.type === 'instruction') expect((await parseDocument(bytes, place)).body).toBe(body)
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
