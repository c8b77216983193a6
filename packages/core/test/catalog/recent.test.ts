import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecent } from '../../src/catalog/recent.ts'

describe('a bounded store', () => {
  it('[NFR-1] drops what was used least recently', () => {
    const recent = createRecent<string, number>(2)
    recent.set('a', 1)
    recent.set('b', 2)
    expect(recent.get('b')).toBe(2)
    expect(recent.get('a')).toBe(1)
    recent.set('c', 3)
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3])
  })

  it('[NFR-1] keeps one that alone is heavier than what fits', () => {
    const recent = createRecent<string, number>(2, (weight) => weight)
    recent.set('a', 1)
    recent.set('b', 9)
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 9])
    recent.set('c', 1)
    expect([recent.get('b'), recent.get('c')]).toEqual([undefined, 1])
  })

  it('[NFR-1] is as a list that is put in order at every use, whatever is done with it', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.oneof(
      fc.record({ does: fc.constantFrom('get', 'delete', 'deleteWhere'), key, weight: fc.constant(0) }),
      fc.record({ does: fc.constant('set'), key, weight: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ does: fc.constant('clear'), key: fc.constant('a'), weight: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (steps, most) => {
        const recent = createRecent<string, { readonly weight: number }>(most, ({ weight }) => weight)
        let list: { readonly key: string; readonly value: { readonly weight: number } }[] = []
        for (const { does, key: name, weight } of steps) {
          const entry = list.find((one) => one.key === name)
          const others = list.filter((one) => one.key !== name)
          if (does === 'get') {
            expect(recent.get(name)).toBe(entry?.value)
            if (entry !== undefined) list = [...others, entry]
          } else if (does === 'set') {
            const value = { weight }
            recent.set(name, value)
            list = [...others, { key: name, value }]
            while (list.length > 1 && list.reduce((sum, one) => sum + one.value.weight, 0) > most) list.shift()
          } else if (does === 'clear') {
            recent.clear()
            list = []
          } else {
            if (does === 'delete') recent.delete(name)
            else recent.deleteWhere((other) => other === name)
            list = others
          }
        }
        for (const { key: name, value } of list) expect(recent.get(name)).toBe(value)
        for (const name of ['a', 'b', 'c', 'd'])
          if (!list.some((one) => one.key === name)) expect(recent.get(name)).toBeUndefined()
      }),
    )
  })
})
