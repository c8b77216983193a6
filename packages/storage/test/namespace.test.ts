import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { keyPart, nameOfPart, tenantPart } from '../src/namespace.ts'

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('/', '.', ':', '_', '{', '}', '\0', '%', '2', 'f', 'a', 'A', '\n', '*', 'é') }),
  fc.constantFrom('..', '../b', 'a/../b', 'A', 'a', '_61', '__61', 'é', 'e\u0301', '\u{1F600}', 'a:b', '{a}'),
)

it('[LIB-8] a name is one part of a key, which holds nothing that divides parts and is no other name’s', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      fc.pre(keyPart(one) !== undefined && keyPart(other) !== undefined)
      expect(keyPart(one)).toMatch(/^[a-z0-9_-]+$/)
      expect(keyPart(one) === keyPart(other)).toBe(one === other)
      expect(nameOfPart(keyPart(one)!)).toBe(one)
    }),
  )
})

it('[LIB-8] what is not the name of a tenant is refused, and what is not a part has no name', () => {
  for (const tenant of ['', 'a'.repeat(129), 'é'.repeat(65), '\uD800', undefined, 1, null, {}, ['a']]) {
    expect(() => tenantPart(tenant)).toThrow('The name of a tenant is a text of Unicode')
  }
  expect(tenantPart('é'.repeat(64))).toHaveLength(384)
  for (const part of ['', 'A', '_6', '_61', '_c3', 'a/b', '_ed_a0_80', 'a ']) expect(nameOfPart(part)).toBeUndefined()
})
