import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../src/internal.ts'

const read = (rest: string) => parseSkill(`---\nname: pdf\ndescription: x\n${rest}\n---\n`)

const file = { type: 'string', description: 'The file.' }

describe('parameters', () => {
  it.each([
    [{ type: 'object', properties: { file }, required: ['file'], additionalProperties: false }],
    [{ type: 'object' }],
    [{ type: 'object', properties: { any: true, type: { type: 'string' } } }],
    [{ type: 'object', $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' } } }],
  ])('[MAN-4] takes the JSON Schema of an object as it is: %j', async (schema) => {
    const { manifest, diagnostics } = await read(`parameters: ${JSON.stringify(schema)}`)
    expect(manifest?.parameters).toEqual(schema)
    expect(diagnostics).toEqual([])
  })

  it.each([
    [{ properties: { file } }, { type: 'object', properties: { file } }],
    [{}, { type: 'object', properties: {} }],
    [
      { file: 'string', count: 'integer' },
      { type: 'object', properties: { file: { type: 'string' }, count: { type: 'integer' } } },
    ],
    [
      { file: { ...file, required: true }, mode: { enum: ['a', 'b'], default: 'a', required: false } },
      { type: 'object', properties: { file, mode: { enum: ['a', 'b'], default: 'a' } }, required: ['file'] },
    ],
    [
      { place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      {
        type: 'object',
        properties: { place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      },
    ],
    [{ maybe: { type: ['string', 'null'] } }, { type: 'object', properties: { maybe: { type: ['string', 'null'] } } }],
  ])('[MAN-4] makes one of the short form %j', async (short, schema) => {
    const { manifest, diagnostics } = await read(`parameters: ${JSON.stringify(short)}`)
    expect(manifest?.parameters).toEqual(schema)
    expect(diagnostics).toEqual([])
    // What was made is taken as it is.
    expect((await read(`parameters: ${JSON.stringify(schema)}`)).manifest?.parameters).toEqual(schema)
  })

  it.each([
    [{ type: 'string' }],
    [{ type: 'string', file: 'string' }],
    [{ type: 'object', properties: ['file'] }],
    [{ type: 'object', properties: { file: 'string' } }],
    [{ type: 'object', required: 'file' }],
    [{ properties: { file: 'string' } }],
    [{ required: ['file'], file: 'string' }],
    [{ $ref: '#/a' }],
    [{ file: 'path' }],
    [{ file: { kind: 'string' } }],
    [{ file: { type: 'path' } }],
    [{ file: { type: 'string', required: 'yes' } }],
    [{ file: null }],
    [['file']],
    ['file'],
    [7],
  ])('[MAN-4] keeps what could be read in two ways, or in none, under extra: %j', async (value) => {
    const { manifest, diagnostics } = await read(`parameters: ${JSON.stringify(value)}`)
    expect(manifest).not.toHaveProperty('parameters')
    expect(manifest?.extra).toEqual({ parameters: value })
    expect(diagnostics).toMatchObject([
      { code: value === 'file' ? 'FIELD_VALUE' : 'FIELD_TYPE', severity: 'warning', line: 4 },
    ])
  })

  it('[ABUSE-5] refuses a parameter by the name of what a prototype holds', async () => {
    for (const name of ['__proto__', 'constructor']) {
      const { manifest, diagnostics } = await read(`parameters:\n  ${name}: string`)
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([{ code: 'YAML_KEY_INVALID', severity: 'error', line: 5 }])
    }
  })
})

describe('where a skill is from', () => {
  it('[MAN-4] reads source and created-by as text', async () => {
    const { manifest, diagnostics } = await read('source: https://example.com/kit\ncreated-by: import')
    expect(manifest).toMatchObject({ source: 'https://example.com/kit', createdBy: 'import', extra: {} })
    expect(diagnostics).toEqual([])
  })

  it.each(['source: 7', 'source: [a]', 'created-by: {a: b}', 'created-by: ""'])(
    '[MAN-4] keeps "%s" under extra',
    async (rest) => {
      const { manifest, diagnostics } = await read(rest)
      expect(Object.keys(manifest?.extra ?? {})).toEqual([rest.split(':')[0]])
      expect(diagnostics).toMatchObject([{ severity: 'warning', line: 4 }])
    },
  )
})
