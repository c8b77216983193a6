// The schema has no entry point: it is published as a file.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { configurationJsonSchema, fileSchema } from './schema.ts'

const file = new URL('../../../schema/configuration.schema.json', import.meta.url)
const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

describe('[DISC-9] the JSON Schema of a configuration', () => {
  it('is the one that is published; if it is not, run `npm run schema` in this package', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(configurationJsonSchema())))
  })

  it('accepts what is accepted, and refuses what is refused', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(published)
    const layer = fc.constantFrom('enterprise', 'personal', 'other')
    const folders = fc.oneof(fc.array(fc.constantFrom('a', '', '~/b')), fc.boolean(), fc.constant(null))
    const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      enabled: fc.oneof(fc.boolean(), fc.constant('yes')),
      profile: fc.constantFrom('strict', 'default', 'lenient', 'loose'),
      style: fc.constantFrom('xml', 'tools', 'matched', 'none'),
      listingBudget: fc.oneof(
        fc.boolean(),
        fc.record(
          { share: fc.constantFrom(0, 0.5, 1, 2), window: fc.constantFrom(-1, 0, 10), keep: folders },
          { requiredKeys: [] },
        ),
      ),
      layers: fc.array(layer, { maxLength: 3 }),
      followLinks: fc.array(layer, { maxLength: 3 }),
      roots: fc.record({ personal: folders, bundled: folders, other: folders }, { requiredKeys: [] }),
      skillsDir: fc.constantFrom('a', '', false),
      writeRoot: fc.constantFrom('a', '', false, true),
      packages: folders,
      contextWindow: fc.constantFrom(0, 8_000, '1'),
      cacheTtl: fc.constantFrom(0, -1, 1.5, '1'),
      unknown: fc.constant(1),
      $schema: fc.constantFrom('./schema.json', 1),
    }
    const setting = fc.oneof(...Object.entries(values).map(([key, value]) => fc.tuple(fc.constant(key), value)))
    const settings = fc.array(setting, { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
    let accepted = 0
    fc.assert(
      fc.property(settings, (value) => {
        const { success } = fileSchema.safeParse(value)
        if (success) accepted++
        expect(validate(value)).toBe(success)
      }),
      { numRuns: runs(1000) },
    )
    expect(accepted).toBeGreaterThan(runs(100))
  })
})
