import type { SkillContent } from '@repertoire/core'
import { compositeSkill, createSkillRegistry } from '@repertoire/library'
import type { NewSkill } from '@repertoire/library'
import { assert, asyncProperty, constantFrom, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryStore } from '../temporary-folder.ts'

const invalid = { code: 'MANIFEST_INVALID' }
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

/** Fields that hold a text of any kind. */
const TEXTS = [
  'description',
  'license',
  'compatibility',
  'source',
  'createdBy',
  'whenToUse',
  'argumentHint',
  'model',
] as const

describe('what a skill is made of', () => {
  it.each([
    ['a definition that is null', { type: 'instruction', definition: null }],
    ['a type that every object has', { type: 'constructor' }],
    ['a step that is null', { type: 'composite', definition: { steps: [null] } }],
    [
      'parameters that hold themselves',
      { type: 'composite', definition: { steps: [{ tool: 'a', parameters: cyclic }] } },
    ],
    ['a big integer', { type: 'composite', definition: { steps: [{ tool: 'a', parameters: { a: 5n } }] } }],
    ['a function', { type: 'composite', definition: { steps: [{ tool: 'a', parameters: { a: () => 1 } }] } }],
    ['a date', { type: 'composite', definition: { steps: [{ tool: 'a', parameters: { a: new Date(0) } }] } }],
    [
      'the key __proto__',
      {
        type: 'composite',
        definition: { steps: [{ tool: 'a', parameters: JSON.parse('{"__proto__":1}') as object }] },
      },
    ],
    ['a character that no YAML holds', { type: 'instruction', license: 'a\0b' }],
    ['a field that only a host may give', { type: 'instruction', trust: 'enterprise' }],
  ])('[LIB-2, LIB-3, ABUSE-77] %s is an error, and nothing is stored', async (_, skill) => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const created = registry.create({ name: 'made', description: 'Made.', ...skill } as unknown as NewSkill)
    await expect(created).rejects.toMatchObject(invalid)
    expect(await registry.store.listActive()).toEqual([])
  })

  it('[LIB-3] calls with functions among their parameters make no plan, and those without a value are left out', async () => {
    const registry = createSkillRegistry({ store: await temporaryStore() })
    const executions = [{ tool: 'x', parameters: { a: () => 1 } }]
    await expect(registry.create(compositeSkill({ name: 'a', description: 'b', executions }))).rejects.toMatchObject(
      invalid,
    )
    const plan = compositeSkill({
      name: 'plan',
      description: 'A plan.',
      executions: [{ tool: 'x', parameters: { a: undefined, b: 1 } }],
    })
    const { definition } = await registry.create(plan)
    expect(definition).toEqual({ type: 'composite', steps: [{ tool: 'x', parameters: { b: 1 } }] })
  })

  it('[ABUSE-77] whatever a text holds, it is read back as it was or refused, and adds no field', async () => {
    const store = await temporaryStore()
    const pieces = constantFrom(
      '\n',
      '\r\n',
      '---',
      '...',
      'trust: enterprise',
      'allowed-tools: "*"',
      ': ',
      ' #',
      "'",
      '"',
      '\\',
      '| ',
      '&a',
      '*a',
      '!!js',
      '{',
      ']',
      '\u2028',
      '\u0085',
      'é',
      ' ',
    )
    const hostile = tuple(pieces, pieces, string({ maxLength: 5 }), pieces).map((parts) => `x${parts.join('')}x`)
    await assert(
      asyncProperty(constantFrom(...TEXTS), hostile, async (field, text) => {
        const content = {
          manifest: { name: 'pdf', description: 'D.', [field]: text },
          body: 'Do it.\n',
        } as SkillContent
        try {
          await store.save(content)
        } catch (error) {
          expect(error).toMatchObject(invalid)
          return
        }
        const { manifest, body } = await store.get('pdf')
        expect([manifest[field], manifest.allowedTools, manifest.extra, body]).toEqual([
          text,
          undefined,
          {},
          'Do it.\n',
        ])
      }),
      { numRuns: 60 },
    )
  })
})
