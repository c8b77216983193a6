import { describe, expect, it } from 'vitest'
import { read, type Schema } from './read.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const taking = (list: Schema): Schema => ({ type: 'object', properties: { list } })
const TOO_MUCH = { problems: ['the input holds more than can be compared with what the skill takes'] }

describe('comparing parameters with what a skill takes', () => {
  it.each<[string, Schema, readonly unknown[]]>([
    [
      'one of many',
      { items: { anyOf: numbers(490).map((minLength) => ({ type: 'string', minLength })) } },
      numbers(9000),
    ],
    ['exactly one of many', { items: { oneOf: numbers(240).map((value) => ({ enum: [value] })) } }, numbers(9000)],
    ['a value of many', { items: { enum: numbers(8000) } }, numbers(9000).map((value) => -1 - value)],
    ['all different', { uniqueItems: true }, numbers(4900).map((value) => ({ value }))],
  ])('[RUN-4, ABUSE-60] is refused where it would take long: %s', async (_, list, values) => {
    expect(await read(taking(list), { input: { list: values } })).toEqual(TOO_MUCH)
  })

  it('[RUN-4] is not refused where many values fit what is asked of each', async () => {
    const item = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        state: { enum: ['open', 'closed', 'new'] },
        note: { type: ['string', 'null'] },
      },
    }
    const list = numbers(2400).map((id) => ({ id, state: 'open', note: null }))
    const schema = taking({ type: 'array', items: item })
    expect(await read(schema, { input: { list } })).toEqual({ values: { list } })
    expect(await read(taking({ uniqueItems: true }), { input: { list: numbers(3000) } })).toHaveProperty('values')
    const wrong = await read(schema, { input: { list: list.map(({ id }) => ({ id: String(id) })) } })
    expect(wrong).toEqual({ problems: expect.arrayContaining([expect.stringContaining('list.0.id')]) })
  })

  it('[RUN-4, ABUSE-51] refuses halves of characters, in names and in texts', async () => {
    for (const input of [{ '\uD800': 1 }, { list: 'x\uDC00' }, { list: [{ '\uD800': {} }] }]) {
      const half = { problems: ['the input cannot be used: it holds half of a character'] }
      expect(await read(taking({}), { input })).toEqual(half)
      expect(await read(undefined, { input })).toEqual(half)
    }
  })
})
