import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { openRepertoire } from '../../../src/index.ts'

const repertoire = await openRepertoire({ sources: [] })

/** Calls a host's tool with an input: what the tool is given, or why it is not called. */
async function call(input: unknown, tool = 'Read'): Promise<{ readonly given?: unknown; readonly refused?: string }> {
  const session = openAdapterSession(repertoire, { hostTools: [tool] })
  let given: unknown
  const outcome = await session.call({ id: 'c', tool, input }, (judged) => {
    given = judged.input
  })
  if (outcome.ok) return { given }
  expect(outcome.refusal.code).toBe('INPUT_INVALID')
  return { refused: outcome.refusal.reason }
}

const given = async (input: unknown): Promise<unknown> => {
  const result = await call(input)
  expect(result.refused).toBeUndefined()
  return result.given
}

const PROTOTYPE =
  'The input of "Read" is not accepted: it has a property "__proto__" that names a prototype. Give plain JSON.'

/** Lists or objects in each other. */
const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => wrap(inner), 'x')

describe('the input of a call', () => {
  it('[GATE-1] is judged and passed on as a copy: what the caller changes later reaches neither', async () => {
    const input = { path: 'a', more: { list: ['b', { c: 1 }] } }
    const copy = (await given(input)) as typeof input
    expect(copy).toEqual(input)
    input.path = 'z'
    input.more.list.push('z')
    ;(input.more.list[1] as { c: number }).c = 2
    expect(copy).toEqual({ path: 'a', more: { list: ['b', { c: 1 }] } })
  })

  it('[GATE-1] is copied where the whole input is an instance of a class', async () => {
    class Input {
      path = 'a'
    }
    const input = new Input()
    const copy = await given(input)
    expect(copy).toEqual({ path: 'a' })
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    input.path = 'z'
    expect(copy).toEqual({ path: 'a' })
  })

  it('[GATE-1] is copied where it comes from another realm, or has no prototype', async () => {
    const input = runInNewContext(`({ path: 'a', list: [{ b: 1 }] })`) as { path: string; list: unknown[] }
    const copy = await given(input)
    input.path = 'z'
    input.list.length = 0
    expect(copy).toEqual({ path: 'a', list: [{ b: 1 }] })
    const bare = Object.assign(Object.create(null) as object, { path: 'a' })
    expect(await given(bare)).toEqual({ path: 'a' })
    expect(await given(bare)).not.toBe(bare)
  })

  it.each([
    ['lists', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
  ])('[GATE-7] may hold %s 256 levels deep and no deeper', async (_, wrap) => {
    const input = (depth: number) => ({ input: nested(depth - 1, wrap) })
    expect(await given(input(256))).toEqual(input(256))
    expect((await call(input(257))).refused).toBe(
      'The input of "Read" is not accepted: it is nested deeper than 256 levels. Give plain JSON.',
    )
  })

  it('[GATE-7] may hold the same object twice beside each other, but not within itself', async () => {
    const twin = { a: 1 }
    expect(await given({ one: twin, two: twin, list: [twin, twin] })).toEqual({
      one: twin,
      two: twin,
      list: [twin, twin],
    })
    const ring: Record<string, unknown> = {}
    ring['self'] = [ring]
    expect((await call(ring)).refused).toBe(
      'The input of "Read" is not accepted: it refers to itself. Give plain JSON.',
    )
  })

  it.each([
    ['{"__proto__":{"a":1}}', '__proto__'],
    ['{"__proto__":"x"}', '__proto__'],
    ['{"deep":[{"__proto__":{}}]}', '__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
  ])('[GATE-7, ABUSE-44] is refused where it is %s, which names a prototype', async (json, name) => {
    expect((await call(JSON.parse(json))).refused).toBe(
      `The input of "Read" is not accepted: it has a property "${name}" that names a prototype. Give plain JSON.`,
    )
  })

  it.each([
    '{"constructor":"x"}',
    '{"constructor":{}}',
    '{"constructor":null}',
    '{"prototype":{}}',
    '{"proto":{}}',
    '{"deep":{"prototype":{}}}',
  ])('[GATE-7] is passed on where it is %s, which only looks as if it named a prototype', async (json) => {
    expect(await given(JSON.parse(json))).toEqual(JSON.parse(json))
  })

  it('[GATE-7] is refused where reading it throws, without the words of the error', async () => {
    const throwing = {
      get path(): string {
        throw new Error('secret')
      },
    }
    expect((await call(throwing)).refused).toBe(
      'The input of "Read" is not accepted: it cannot be read. Give plain JSON.',
    )
    expect((await call(throwing, 'x'.repeat(100))).refused).toContain(
      `The input of "${'x'.repeat(80)}…" is not accepted`,
    )
  })
})

describe('a value in the input of a call, with its own prototype', () => {
  it('[GATE-1] is passed on as the same object where a class made it, whatever that class extends', async () => {
    class Base {
      path = 'a'
    }
    class Derived extends Base {}
    for (const value of [
      new Date(0),
      new Base(),
      new Derived(),
      new URL('https://x.test/'),
      new Map(),
      new Error('x'),
    ]) {
      expect(((await given({ value })) as { readonly value: unknown }).value).toBe(value)
    }
  })

  it('[GATE-1] is passed on as the same object where a function is its prototype: no JSON makes one', async () => {
    const value = Object.setPrototypeOf({ a: 1 }, () => undefined) as object
    expect(((await given({ value })) as { readonly value: unknown }).value).toBe(value)
  })

  it('[GATE-1] is copied if it has no prototype', async () => {
    const value = Object.assign(Object.create(null) as object, { path: 'a' })
    const copy = (await given({ value })) as { readonly value: object }
    expect(copy.value).not.toBe(value)
    expect(copy).toEqual({ value: { path: 'a' } })
    expect(Object.getPrototypeOf(copy.value)).toBe(Object.prototype)
  })

  it.each([
    ['has a path', { path: '/etc/passwd' }],
    ['is empty', {}],
    ['has a property `constructor` that is no function', { constructor: 'x' }],
    ['is a list', []],
  ])('[GATE-7, ABUSE-44] is refused where a framework has assigned it one that %s', async (_, prototype) => {
    // A list as a prototype has the constructor of lists only through its own prototype.
    const assigned = Object.setPrototypeOf({ a: 1 }, prototype) as object
    for (const input of [assigned, { value: assigned }, { deep: [assigned] }]) {
      expect((await call(input)).refused).toBe(PROTOTYPE)
    }
  })

  it('[GATE-7, ABUSE-44] is refused where its prototype only pretends to have a constructor', async () => {
    const prototype = Object.defineProperty({ path: 'x' }, 'constructor', { get: () => Object })
    expect((await call({ value: Object.create(prototype) as object })).refused).toBe(PROTOTYPE)
  })
})
