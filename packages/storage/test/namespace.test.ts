import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { tenantPart } from '../src/namespace.ts'

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }).filter((text) => text.isWellFormed()),
  fc.string({
    unit: fc.constantFrom('/', '.', ':', '_', '{', '}', '\0', '%', '2', 'f', 'a', 'A', '\n', '*', 'é'),
    minLength: 1,
  }),
  fc.constantFrom('..', '../b', 'a/../b', 'A', 'a', '_61', '__61', 'é', 'e\u0301', '\u{1F600}', 'a:b', '{a}'),
)

it('[LIB-8] a tenant is one part of a key, which holds nothing that divides parts and is no other tenant’s', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      expect(tenantPart(one)).toMatch(/^[a-z0-9_-]+$/)
      expect(tenantPart(one) === tenantPart(other)).toBe(one === other)
    }),
  )
})

it('[LIB-8] what is not the name of a tenant is refused', () => {
  for (const tenant of ['', 'a'.repeat(129), 'é'.repeat(65), '\uD800', undefined, 1, null, {}, ['a']]) {
    expect(() => tenantPart(tenant)).toThrow('The name of a tenant is a text of Unicode')
  }
  expect(tenantPart('é'.repeat(64))).toHaveLength(384)
})
