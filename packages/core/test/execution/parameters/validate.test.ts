import { anything, assert, asyncProperty, dictionary, jsonValue, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skillToolsOf } from '../../../src/adapter.ts'
import { parametersFromText } from '../../../src/execution/parameters/from-text.ts'
import { read, type Schema } from './read.ts'

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

const problems = async (input: unknown, schema: Schema = SCHEMA) => {
  const found = await read(schema, { input })
  return 'problems' in found ? found.problems : []
}

describe('the parameters of a skill', () => {
  it('[RUN-2] are accepted if they fit, with defaults for the missing ones', async () => {
    expect(await read(SCHEMA, { input: { topic: 'cats', count: 2, version: '1.2', tags: ['a'] } })).toEqual({
      values: { topic: 'cats', count: 2, version: '1.2', tags: ['a'], tone: 'formal' },
    })
  })

  it('[RUN-2] are refused with the name of each that does not fit', async () => {
    expect(await problems({ tone: 'rude', count: 1.5, version: 'x', tags: ['ok', 'NO'], more: 1 })).toEqual([
      '"topic" is missing',
      expect.stringMatching(/^"tone": /),
      expect.stringMatching(/^"count": .*integer/),
      '"more" is not a parameter',
      String.raw`"version" does not match the pattern "^\d+\.\d+$"`,
      '"tags.1" does not match the pattern "^[a-z]+$"',
    ])
  })

  it('[RUN-2] are refused unless they are a JSON object', async () => {
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
  ])('[RUN-2] are refused under a schema that is not supported: %j', async (schema, problem) => {
    expect(await read(schema, { input: {} })).toEqual({ unusable: problem })
  })

  it('[RUN-2] are compared with a pattern in linear time', async () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await problems({ a: `${'a'.repeat(50_000)}!` }, schema)).toEqual([
      '"a" does not match the pattern "^(a+)+$"',
    ])
  })

  it('[RUN-2] are read without a throw, whatever the schema and the input are', async () => {
    await assert(
      asyncProperty(dictionary(string(), jsonValue()), anything(), async (schema, input) => {
        expect(Object.keys(await read(schema, { input }))).toHaveLength(1)
      }),
    )
  })
})

describe('parameters that are written as text', () => {
  const values = async (schema: Schema, args: string) => {
    const found = await read(schema, { input: parametersFromText(schema, args) })
    return 'values' in found ? found.values : found
  }
  const OPEN = { properties: SCHEMA.properties }

  it('[RUN-2] are a JSON object, or words in the order of the parameters', async () => {
    expect(await values(OPEN, ' {"topic": "cats"} ')).toMatchObject({ topic: 'cats' })
    const words = { topic: 'two words', tone: 'casual', count: 3 }
    expect(await values(OPEN, '"two words" casual 3')).toEqual(words)
    expect(await values({ properties: { a: { type: 'string' } } }, 'all of it')).toEqual({ a: 'all of it' })
    expect(await values(OPEN, '')).toEqual({ tone: 'formal' })
  })

  it('[RUN-2] are refused where their meaning is not certain', async () => {
    for (const args of ['a b c d e f', '{"topic": ']) {
      expect(await values(OPEN, args)).toEqual({ problems: [expect.stringContaining('object')] })
    }
    expect(await values(OPEN, 'cats casual many')).toEqual({ problems: [expect.stringMatching(/^"count": .*integer/)] })
  })
})

describe('the input of a skill’s own tool', () => {
  const inputSchema = (parameters: Schema) => {
    const manifest = { description: 'A skill.', type: 'template', parameters } as const
    return skillToolsOf([{ name: 'a', path: '/a/SKILL.md', manifest }])[0]!.inputSchema
  }

  it('[RUN-2] is a closed schema that every provider takes', () => {
    const parameters = { properties: { a: { type: 'string', description: 'x\u200By\u202E' } } }
    expect(inputSchema(parameters)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'xy' } },
      additionalProperties: false,
    })
  })

  it.each([
    { properties: { 'größe über alles': { type: 'string' } } },
    { properties: { ['a'.repeat(65)]: {} } },
    { anyOf: [{ required: ['a'] }], properties: {} },
    { $ref: 'https://example.com' },
    { properties: { a: { description: 'x'.repeat(9_000) } } },
  ])('[RUN-2] is text where a provider could refuse the schema, and with it every request: %#', (parameters) => {
    expect(Object.keys(inputSchema(parameters)['properties'] as object)).toEqual(['args'])
  })
})
