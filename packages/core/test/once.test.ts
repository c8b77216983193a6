import { expect, it } from 'vitest'
import { once } from '../src/once.ts'

it('[NFR-6] makes a value when it is first asked for, and one only', () => {
  let made = 0
  const value = once(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(value()).toBe(value())
  expect(made).toBe(1)
})
