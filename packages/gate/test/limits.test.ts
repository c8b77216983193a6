import { describe, expect, test } from 'vitest'
import { permits } from './permits.ts'
import { listRules, NO_POLICY } from '../src/internal.ts'
import { quote, shown } from '@repertoire/skill-md/internal'
import { toolset } from './toolset.ts'

const tools = toolset({ Deploy: { argument: 'target', kind: 'text' } })

async function judged(of: 'lists' | 'denied', tool: string, pattern: string, input: unknown): Promise<boolean> {
  const list = [{ skill: 's', rules: [{ tool, pattern }] }]
  const policy = of === 'lists' ? { ...NO_POLICY, lists: list } : { ...NO_POLICY, lists: [], denied: list }
  return (await permits(policy, { tool, input }, { tools, cwd: '/p' })).allowed
}

/** A pattern of a length, and a call that it covers exactly; another that it does not. */
const OF_LENGTH = {
  Deploy: (length: number) => ['x'.repeat(length), { target: 'x'.repeat(length) }, { target: 'y' }] as const,
  Read: (length: number) => ['x'.repeat(length), { path: 'x'.repeat(length) }, { path: 'y' }] as const,
  Bash: (length: number) => {
    const line = 'git '.padEnd(length, 'x')
    return [line, { command: line }, { command: 'ls' }] as const
  },
  WebFetch: (length: number) => {
    const address = 'https://a.b/'.padEnd(length, 'x')
    return [address, { url: address }, { url: 'https://c.d/' }] as const
  },
}

describe('a pattern of a rule', () => {
  test.each(Object.entries(OF_LENGTH))(
    '[GATE-3, ABUSE-43] %s: of 1,000 characters is compared, of one more covers nothing',
    async (tool, sample) => {
      const [pattern, call, other] = sample(1_000)
      expect(await judged('lists', tool, pattern, call)).toBe(true)
      expect(await judged('lists', tool, pattern, other)).toBe(false)
      const [longer, same] = sample(1_001)
      expect(await judged('lists', tool, longer, same)).toBe(false)
    },
  )

  test.each(Object.entries(OF_LENGTH))(
    '[MAN-7, ABUSE-43] %s: that takes away, of 1,000 characters is compared, of one more may mean anything',
    async (tool, sample) => {
      const [pattern, call, other] = sample(1_000)
      expect(await judged('denied', tool, pattern, call)).toBe(false)
      expect(await judged('denied', tool, pattern, other)).toBe(true)
      expect(await judged('denied', tool, sample(1_001)[0], other)).toBe(false)
    },
  )

  test('[GATE-3, ABUSE-43] an address of more than 1,000 characters covers nothing, whatever it would match', async () => {
    const pattern = (length: number) => 'https://a.b/'.padEnd(length, '*')
    expect(await judged('lists', 'WebFetch', pattern(1_000), { url: 'https://a.b/' })).toBe(true)
    expect(await judged('lists', 'WebFetch', pattern(1_001), { url: 'https://a.b/' })).toBe(false)
  })
})

test('[MAN-7] a text of 10,000 characters is compared with what is taken away, a longer one may be anything', async () => {
  expect(await judged('denied', 'Deploy', 'y', { target: 'x'.repeat(10_000) })).toBe(true)
  expect(await judged('denied', 'Deploy', 'y', { target: 'x'.repeat(10_001) })).toBe(false)
})

describe('what a refusal repeats', () => {
  test('[GATE-7, ABUSE-43] no more than 120 characters of a value, whatever their size', () => {
    expect(quote('x'.repeat(120))).toBe(`"${'x'.repeat(120)}"`)
    expect(quote('x'.repeat(121))).toBe(`"${'x'.repeat(120)}…"`)
    expect(shown('🙂'.repeat(120))).toBe('🙂'.repeat(120))
    expect(shown('🙂'.repeat(121))).toBe(`${'🙂'.repeat(120)}…`)
    expect(shown('🙂'.repeat(100_000))).toBe(`${'🙂'.repeat(120)}…`)
  })

  test('[GATE-7] no more than twenty rules by name, each once, and how many more there are', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, index) => `T${index}`)
    expect(listRules(rules(20))).toBe(rules(20).join(', '))
    expect(listRules([...rules(20), ...rules(20)])).toBe(rules(20).join(', '))
    expect(listRules(rules(21))).toBe([...rules(20), 'and 1 more'].join(', '))
    expect(listRules(rules(25))).toBe([...rules(20), 'and 5 more'].join(', '))
  })
})
