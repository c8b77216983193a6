import { anything, assert, asyncProperty, dictionary, jsonValue, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parametersFromText } from '../../../src/execution/parameters/from-text.ts'
import { readParameters, schemaProblem } from '../../../src/execution/parameters/validate.ts'
import { shownSchema } from '@repertoire/skill-md/internal'

const SCHEMA = {
  type: 'object',
  properties: {
    topic: { type: 'string', minLength: 2 },
    tone: { enum: ['formal', 'casual'], default: 'formal' },
    count: { type: 'integer', minimum: 1 },
    version: { type: 'string', pattern: String.raw`^\d+\.\d+$` },
    tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
  },
  required: ['topic'],
}

const problems = async (input: unknown, schema: Readonly<Record<string, unknown>> = SCHEMA) => {
  const read = await readParameters(schema, input)
  return 'problems' in read ? read.problems : []
}

describe('readParameters', () => {
  it('[RUN-2] takes what fits, with the defaults of what is missing', async () => {
    expect(await readParameters(SCHEMA, { topic: 'cats', count: 2, version: '1.2', tags: ['a'] })).toEqual({
      values: { topic: 'cats', count: 2, version: '1.2', tags: ['a'], tone: 'formal' },
    })
  })

  it('[RUN-2] names each parameter that does not fit', async () => {
    expect(await problems({ tone: 'rude', count: 1.5, version: 'x', tags: ['ok', 'NO'], more: 1 })).toEqual([
      '"topic" is missing',
      expect.stringMatching(/^"tone": /),
      expect.stringMatching(/^"count": .*integer/),
      '"more" is not a parameter',
      String.raw`"version" does not match the pattern "^\d+\.\d+$"`,
      '"tags.1" does not match the pattern "^[a-z]+$"',
    ])
  })

  it('[RUN-2] takes nothing but an object of JSON', async () => {
    for (const input of ['text', 3, [], true]) expect(await problems(input)).toHaveLength(1)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(await problems(circle)).toEqual(['the input cannot be used: it is not JSON'])
    expect(await problems(JSON.parse('{"__proto__": {"topic": "x"}}'))).toEqual([
      'the input cannot be used: it names "__proto__"',
    ])
    expect(await problems({ topic: 'ab', tags: Array.from({ length: 10_001 }, () => 'a') })).toEqual([
      'the input cannot be used: there are more than 10000 values in it',
    ])
  })

  it('[RUN-2] copies data, and calls nothing of a foreign object but its JSON', async () => {
    const given = { topic: 'cats', tags: ['a'] }
    const read = await readParameters(SCHEMA, given)
    given.tags.push('b')
    expect(read).toHaveProperty('values.tags', ['a'])
  })

  it.each([
    [{ $ref: '#' }, 'use "$ref", which is not supported here'],
    [{ properties: { a: { if: {} } } }, 'use "if", which is not supported here'],
    [{ patternProperties: { '(a+)+$': {} } }, 'use "patternProperties", which is not supported here'],
    [{ properties: { a: { type: 'text' } } }, 'have a "type" that does not mean anything'],
    [{ properties: { a: { pattern: '(?=x)' } } }, expect.stringContaining('is not an RE2 expression') as string],
    [
      { properties: { a: { anyOf: [{ pattern: 'a' }] } } },
      expect.stringContaining('have a "pattern" inside') as string,
    ],
    [{ properties: { a: 3 } }, 'hold something that is not a schema'],
    [{ properties: { a: { minimum: 'x' } } }, 'have a "minimum" that does not mean anything'],
  ])('[RUN-2] does not use a schema that it cannot be certain of: %j', async (schema, problem) => {
    expect(await schemaProblem(schema)).toEqual(problem)
    expect(await readParameters(schema, {})).toEqual({ unusable: problem })
  })

  it('[RUN-2] compares a pattern in linear time', async () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await problems({ a: `${'a'.repeat(50_000)}!` }, schema)).toEqual([
      '"a" does not match the pattern "^(a+)+$"',
    ])
  })

  it('[RUN-2] reads any schema and any input without throwing', async () => {
    await assert(
      asyncProperty(dictionary(string(), jsonValue()), anything(), async (schema, input) => {
        const read = await readParameters(schema, input)
        expect(Object.keys(read)).toHaveLength(1)
      }),
    )
  })
})

describe('parametersFromText', () => {
  it('[RUN-2] reads a JSON object, or words in the order of the parameters', () => {
    expect(parametersFromText(SCHEMA, ' {"topic": "cats"} ')).toEqual({ topic: 'cats' })
    expect(parametersFromText(SCHEMA, '"two words" casual 3')).toEqual({ topic: 'two words', tone: 'casual', count: 3 })
    expect(parametersFromText({ properties: { a: { type: 'string' } } }, 'all of it')).toEqual({ a: 'all of it' })
    expect(parametersFromText(undefined, 'any text')).toEqual({ args: 'any text' })
    expect(parametersFromText(SCHEMA, '')).toEqual({})
  })

  it('[RUN-2] leaves what it cannot be certain of as it is written', () => {
    expect(parametersFromText(SCHEMA, 'a b c d e f')).toBe('a b c d e f')
    expect(parametersFromText(SCHEMA, 'cats casual many')).toEqual({ topic: 'cats', tone: 'casual', count: 'many' })
    expect(parametersFromText(SCHEMA, '{"topic": ')).toBe('{"topic":')
  })
})

describe('shownSchema', () => {
  it('[RUN-2] is the schema of a tool that every provider takes, and closed', () => {
    expect(shownSchema({ properties: { a: { type: 'string', description: 'x\u200By\u202E' } } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'xy' } },
      additionalProperties: false,
    })
  })

  it('[RUN-2] is absent where a provider could refuse it, and with it every request', () => {
    for (const schema of [
      { properties: { 'größe über alles': { type: 'string' } } },
      { properties: { ['a'.repeat(65)]: {} } },
      { anyOf: [{ required: ['a'] }], properties: {} },
      { $ref: 'https://example.com' },
      { properties: { a: { description: 'x'.repeat(9_000) } } },
    ]) {
      expect(shownSchema(schema)).toBeUndefined()
    }
  })
})
