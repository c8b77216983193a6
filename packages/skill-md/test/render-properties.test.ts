import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRule, parseSkill, type Manifest, type SkillDefinition, type ToolRule } from '../src/internal.ts'
import { renderSkill } from '../src/index.ts'
import { FIELDS, findMeant } from '../src/fields/fields.ts'
import type { CompositeStep } from '../src/ports/manifest.ts'
import { runs } from '@repertoire/test-servers/properties'

const { manifest: BASE } = (await parseSkill('---\nname: pdf\ndescription: Reads PDF files.\n---\n')) as {
  readonly manifest: Manifest
}
const of = (more: Partial<Manifest>): Manifest => ({ ...BASE, ...more })

describe('what is written and read again', { timeout: 120_000 }, () => {
  /** Pieces that YAML and Markdown make something of. */
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\t',
      ': ',
      ' #',
      "'",
      '"',
      '- ',
      '\\',
      '---',
      '```',
      '~~~',
      '{{ x }}',
      'script: ',
      '> ',
      '| ',
    ),
    fc.constantFrom(
      'true',
      'null',
      '1.10',
      '2024-01-01',
      '&a',
      '*a',
      '!a',
      '%',
      '@',
      '[',
      ']',
      '{',
      '}',
      ',',
      '  ',
      'é',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  )
  const any = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('').replaceAll(/[^\P{C}\n\t]/gu, ''))
  const text = any.map((value) => value.trim()).filter((value) => value !== '')
  const line = text.map((value) => value.replaceAll(/[\n\t]/g, ' ').trim()).filter((value) => value !== '')
  const visible = line
    .map((value) => value.replaceAll(/\p{Default_Ignorable_Code_Point}|(?! )\p{Z}/gu, '').trim())
    .filter((value) => value !== '')
  const tool = fc.stringMatching(/^[A-Za-z_][\w:-]{0,6}$/)
  const rule: fc.Arbitrary<ToolRule> = fc.oneof(
    fc.record({ tool }),
    fc.record({ tool: fc.constant('mcp__server__*') }),
    fc.record({ tool, pattern: fc.stringMatching(/^[a-z"'#,@]([ ,a-z"'#&*{}[\]|>%-]{0,12}[a-z"'])?(:\*)?$/) }),
  )
  const safeKey = (value: string) => !['__proto__', 'constructor', 'prototype', '<<'].includes(value)
  const key = fc
    .oneof(fc.stringMatching(/^[a-z][\w -]{0,8}$/), fc.constantFrom('1', 'true', 'a: b', '"', '#', 'yes'))
    .map((value) => value.trim())
    .filter(safeKey)
  const json = fc
    .jsonValue({ maxDepth: 3 })
    .filter((value) => !/__proto__|constructor|prototype|<</.test(JSON.stringify(value)))
  const unknown = fc
    .stringMatching(/^[a-z][a-z_-]{0,8}$/)
    .filter((value) => safeKey(value) && !FIELDS.has(value) && findMeant(value) === undefined)

  const standard = {
    name: fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/),
    description: text,
    license: any,
    compatibility: text,
    metadata: fc.dictionary(key, any),
    allowedTools: fc.array(rule, { maxLength: 5 }),
  }
  const extension = {
    status: fc.constantFrom<Manifest['status']>('active', 'draft', 'disabled'),
    parameters: fc
      .dictionary(fc.constantFrom('a', 'b'), fc.constantFrom({ type: 'string' }, {}), { maxKeys: 2 })
      .map((properties): Manifest['parameters'] => ({ type: 'object', properties })),
    source: visible.map((value) => value.replaceAll(/\s/g, '')).filter((value) => value !== ''),
    createdBy: visible,
    model: visible,
    context: fc.constantFrom<Manifest['context']>('inherit', 'fork'),
    agent: visible,
    hooks: fc.record({ pre: fc.array(visible), post: fc.array(visible) }),
    priority: fc.integer(),
    tags: fc.array(visible),
    scope: fc.record(
      { agents: fc.array(visible), tenants: fc.array(visible), environments: fc.array(visible) },
      { requiredKeys: [] },
    ),
    toolsets: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}:[A-Z][a-z]{0,5}$/)),
    triggers: fc.record({
      keywords: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/)),
      verbs: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/)),
      patterns: fc.uniqueArray(fc.constantFrom('^a.*b$', '[0-9]+: #x', '\\bpdf\\b', '"q"', "'")),
    }),
    argumentHint: visible,
    whenToUse: text,
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    disallowedTools: fc.array(rule, { maxLength: 5 }),
    extra: fc.dictionary(unknown, json, { maxKeys: 4 }),
  }
  const step: fc.Arbitrary<CompositeStep> = fc.record(
    { tool: visible, parameters: fc.dictionary(key, json, { maxKeys: 3 }), description: any },
    { requiredKeys: ['tool', 'parameters'] },
  )
  const some = any.filter((value) => value.trim() !== '')
  const ended = fc.tuple(some, fc.constantFrom('\n', '\r\n', '\r')).map(([value, end]) => value.replaceAll('\n', end))
  const definition: fc.Arbitrary<SkillDefinition> = fc.oneof(
    fc.record({ type: fc.constant('instruction'), content: fc.oneof(any, ended) }),
    fc.record({ type: fc.constant('composite'), steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
    fc.record(
      {
        type: fc.constant('script'),
        script: fc.oneof(some, ended),
        language: fc.constantFrom('sh', 'python', 'yaml', 'json', 'yml', 'c++', 'a b', '`', 'true', '2024-01-01'),
      },
      { requiredKeys: ['type', 'script'] },
    ),
    fc.record({ type: fc.constant('template'), template: fc.oneof(some, ended) }),
  )

  const required = ['name', 'description', 'metadata'] as const
  const full = fc.tuple(
    fc.record(standard, { requiredKeys: [...required] }),
    fc.record(extension, { requiredKeys: [] }),
    definition,
  )

  it('[MAN-13] is the same: every field, all four types', async () => {
    await fc.assert(
      fc.asyncProperty(full, async ([known, { agent, ...more }, defined]) => {
        const manifest = of({
          ...known,
          ...more,
          type: defined.type,
          ...(more.context === 'fork' && agent !== undefined ? { agent } : {}),
        })
        const written = await renderSkill({ manifest, definition: defined })
        const document = await parseSkill(written, { folderName: manifest.name })
        expect(document.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(document.manifest).toEqual(manifest)
        expect(document.definition).toEqual(defined)
        // And what is read can be written again.
        expect(await renderSkill({ ...document, manifest })).toBe(written)
      }),
      { numRuns: runs(400) },
    )
  })

  it('[MAN-13, MAN-3] is the same in strict, if it has the fields of the standard only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(standard, { requiredKeys: [...required] }), any, async (known, body) => {
        const manifest = of(known)
        const written = await renderSkill({ manifest, body })
        const document = await parseSkill(written, { profile: 'strict', folderName: manifest.name })
        expect(document.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
        expect(document).toMatchObject({ manifest, body })
      }),
      { numRuns: runs(200) },
    )
  })

  it('[MAN-13] has the rules as one string that the standard knows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 6 }), async (allowedTools) => {
        const written = await renderSkill({ manifest: of({ allowedTools }), body: '' })
        const { diagnostics, manifest } = await parseSkill(written, { profile: 'strict' })
        expect(diagnostics).toEqual([])
        expect(manifest?.allowedTools?.map(formatRule)).toEqual(allowedTools.map(formatRule))
      }),
    )
  })
})
