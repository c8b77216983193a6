import { expect, test } from 'vitest'
import { uniqueCallIds } from '../../../src/adapter.ts'

test('[ABUSE-119] gives each call of a message its own id, the model’s if it can be told apart', () => {
  const uniqueId = uniqueCallIds(['call_0'])
  const ids = ['a', 'a', '', undefined, 'call_0', 'b'].map(uniqueId)
  expect(new Set(ids).size).toBe(ids.length)
  expect([ids[0], ids[5]]).toEqual(['a', 'b'])
  // Anthropic's API takes letters, digits, "_" and "-".
  for (const id of ids.slice(1, 5)) expect(id).toMatch(/^call_[\w-]{8,}$/)
  expect(ids).not.toContain('call_0')
})
