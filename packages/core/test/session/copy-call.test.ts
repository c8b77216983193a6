import { describe, expect, it } from 'vitest'
import { copyCall } from '../../src/session/copy-call.ts'

const judge = (input: unknown): unknown => {
  const result = copyCall({ id: 'c', tool: 'Read', input })
  return 'judged' in result ? result.judged.input : result.refusal.reason
}
const REFUSED =
  'The input of "Read" is not accepted: it has a property "__proto__" that names a prototype. Give plain JSON.'

describe('a value of an input with a prototype of its own', () => {
  it('[GATE-1] is the same object where a class made it, whatever that class extends', () => {
    class Base {
      path = 'a'
    }
    class Derived extends Base {}
    for (const value of [new Base(), new Derived(), new URL('https://x.test/'), new Map(), new Error('x')]) {
      expect((judge({ value }) as { readonly value: unknown }).value).toBe(value)
    }
  })

  it('[GATE-1] is the same where a function is its prototype: no JSON makes one', () => {
    const value = Object.setPrototypeOf({ a: 1 }, () => undefined) as object
    expect((judge({ value }) as { readonly value: unknown }).value).toBe(value)
  })

  it('[GATE-1] is copied where it has none', () => {
    const value = Object.assign(Object.create(null) as object, { path: 'a' })
    const copy = judge({ value }) as { readonly value: object }
    expect(copy.value).not.toBe(value)
    expect(copy).toEqual({ value: { path: 'a' } })
    expect(Object.getPrototypeOf(copy.value)).toBe(Object.prototype)
  })

  it.each([
    ['has a path', { path: '/etc/passwd' }],
    ['is empty', {}],
    ['has a constructor that is none', { constructor: 'x' }],
    ['is a list', []],
  ])('[GATE-7, ABUSE-44] is refused where somebody assigned it one that %s', (_, prototype) => {
    // A list as a prototype has the constructor of lists, by its own prototype only.
    const assigned = Object.setPrototypeOf({ a: 1 }, prototype) as object
    expect(judge({ value: assigned })).toBe(REFUSED)
    expect(judge(assigned)).toBe(REFUSED)
  })

  it('[GATE-7, ABUSE-44] is refused where a prototype only pretends to have a constructor', () => {
    const prototype = Object.defineProperty({ path: 'x' }, 'constructor', { get: () => Object })
    expect(judge({ value: Object.create(prototype) as object })).toBe(REFUSED)
  })
})
