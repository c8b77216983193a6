import { describe, expect, it } from 'vitest'
import { skillToolsOf } from '../../src/adapter.ts'
import { readParameters } from '../../src/execution/parameters/validate.ts'
import type { Schema } from '@repertoire/skill-md/internal'

describe('the parameters of a skill', () => {
  it('[RUN-2] are compared up to 500 schemas', async () => {
    const schema = (count: number): Schema => ({
      properties: Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`p${index}`, {}])),
    })
    expect(await readParameters(schema(500), {})).toEqual({ values: {} })
    expect(await readParameters(schema(501), {})).toEqual({ unusable: 'hold more than 500 schemas' })
  })

  it('[RUN-2] are compared down to 16 levels below the first', async () => {
    const schema = (levels: number): Schema => (levels === 0 ? {} : { properties: { inner: schema(levels - 1) } })
    expect(await readParameters(schema(16), {})).toEqual({ values: {} })
    expect(await readParameters(schema(17), {})).toEqual({ unusable: 'are nested deeper than 16 levels' })
  })

  it('[RUN-2] are refused with 120 characters of a keyword that is not known', async () => {
    const unusable = (name: string) => ({ unusable: `use "${name}", which is not supported here` })
    expect(await readParameters({ ['x'.repeat(120)]: 1 }, {})).toEqual(unusable('x'.repeat(120)))
    expect(await readParameters({ ['x'.repeat(121)]: 1 }, {})).toEqual(unusable(`${'x'.repeat(120)}…`))
  })

  it('[SHOW-4] are the input of its tool up to 8,000 characters, and a text beyond', () => {
    const inputFor = (length: number) => {
      const parameters = (description: string) => ({
        type: 'object',
        properties: { a: { description } },
        additionalProperties: false,
      })
      const padding = length - JSON.stringify(parameters('')).length
      const manifest = { description: 'x', type: 'script' as const, parameters: parameters('x'.repeat(padding)) }
      return skillToolsOf([{ name: 'pdf', path: '/pdf/SKILL.md', manifest }])[0]!.inputSchema
    }
    expect(JSON.stringify(inputFor(8_000))).toHaveLength(8_000)
    expect(inputFor(8_001)).toHaveProperty(['properties', 'args'])
  })
})
