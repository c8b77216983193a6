import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { copyCall } from '../../../src/session/copy-call.ts'

const judged = (input: unknown): unknown => {
  const result = copyCall({ id: 'c', tool: 'Read', input })
  if (!('judged' in result)) throw new Error(result.text)
  return result.judged.input
}

const refusal = (input: unknown, tool = 'Read'): string => {
  const result = copyCall({ id: 'c', tool, input })
  if ('judged' in result) return 'taken'
  expect(result.refusal.code).toBe('INPUT_INVALID')
  return result.refusal.reason
}

/** Lists or objects in each other. */
const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => wrap(inner), 'x')

describe('copyCall', () => {
  it('[GATE-1] judges and runs a copy: what the caller changes later reaches neither', () => {
    const input = { path: 'a', more: { list: ['b', { c: 1 }] } }
    const copy = judged(input) as typeof input
    expect(copy).toEqual(input)
    input.path = 'z'
    input.more.list.push('z')
    ;(input.more.list[1] as { c: number }).c = 2
    expect(copy).toEqual({ path: 'a', more: { list: ['b', { c: 1 }] } })
  })

  it('[GATE-1] keeps the call and its tool, and what is not an object as it is', () => {
    expect(copyCall({ id: 'c', tool: 'Read', input: 'text' })).toEqual({
      judged: { id: 'c', tool: 'Read', input: 'text' },
    })
    for (const input of [undefined, null, 7, true, 'x']) expect(judged(input)).toBe(input)
  })

  it('[GATE-1] keeps what a framework made of a value, and copies what it made the whole input an instance of', () => {
    const date = new Date(0)
    expect((judged({ date }) as { date: Date }).date).toBe(date)
    class Input {
      path = 'a'
    }
    const input = new Input()
    const copy = judged(input)
    expect(copy).toEqual({ path: 'a' })
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    input.path = 'z'
    expect(copy).toEqual({ path: 'a' })
  })

  it('[GATE-1] copies plain objects of another realm, and those without a prototype', () => {
    const foreign = runInNewContext(`({ path: 'a', list: [{ b: 1 }] })`) as { path: string; list: unknown[] }
    const copy = judged(foreign) as typeof foreign
    foreign.path = 'z'
    foreign.list.length = 0
    expect(copy).toEqual({ path: 'a', list: [{ b: 1 }] })
    const bare = Object.assign(Object.create(null) as object, { path: 'a' })
    expect(judged(bare)).toEqual({ path: 'a' })
    expect(judged(bare)).not.toBe(bare)
  })

  it.each([
    ['lists', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
  ])('[GATE-7] takes %s 256 levels deep and none deeper', (_, wrap) => {
    expect(refusal(nested(256, wrap))).toBe('taken')
    expect(refusal(nested(257, wrap))).toBe(
      'The input of "Read" is not accepted: it is nested deeper than 256 levels. Give plain JSON.',
    )
  })

  it('[GATE-7] takes the same object twice beside each other, and none within itself', () => {
    const twin = { a: 1 }
    expect(judged({ one: twin, two: twin, list: [twin, twin] })).toEqual({
      one: twin,
      two: twin,
      list: [twin, twin],
    })
    const ring: Record<string, unknown> = {}
    ring['self'] = [ring]
    expect(refusal(ring)).toBe('The input of "Read" is not accepted: it refers to itself. Give plain JSON.')
  })

  it.each([
    ['{"__proto__":{"a":1}}', '__proto__'],
    ['{"__proto__":"x"}', '__proto__'],
    ['{"deep":[{"__proto__":{}}]}', '__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
  ])('[GATE-7, ABUSE-44] refuses %s, which names a prototype', (json, name) => {
    expect(refusal(JSON.parse(json))).toBe(
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
  ])('[GATE-7] takes %s, which only looks like it', (json) => {
    expect(judged(JSON.parse(json))).toEqual(JSON.parse(json))
  })

  it('[GATE-7, ABUSE-44] refuses an input whose prototype was assigned by a framework already', () => {
    const assigned = Object.setPrototypeOf({ a: 1 }, { path: '/etc/passwd' }) as object
    for (const input of [assigned, { deep: [assigned] }]) {
      expect(refusal(input)).toContain('it has a property "__proto__" that names a prototype')
    }
    const hostile = Object.setPrototypeOf({}, { constructor: 'x' }) as object
    expect(refusal(hostile)).toContain('"__proto__"')
  })

  it('[GATE-7] refuses what throws while it is read, with no word of the error, and shortens the name of the tool', () => {
    const throwing = {
      get path(): string {
        throw new Error('secret')
      },
    }
    expect(refusal(throwing)).toBe('The input of "Read" is not accepted: it cannot be read. Give plain JSON.')
    expect(refusal(throwing, 'x'.repeat(100))).toContain(`The input of "${'x'.repeat(80)}…" is not accepted`)
  })
})
