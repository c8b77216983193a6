import { describe, expect, it } from 'vitest'
import { unicodeExpression } from '../../src/internal.ts'

describe('an expression with Unicode properties', () => {
  it('[NFR-4] is made when it is first asked for, and once', () => {
    // One that cannot be made throws only then.
    const wrong = unicodeExpression(String.raw`\p{None}`)
    expect(wrong).toThrow('Invalid property name')
    const letters = unicodeExpression(String.raw`\p{L}+`, 'gu')
    expect(letters()).toBe(letters())
    expect(letters()).toEqual(/\p{L}+/gu)
    expect(unicodeExpression(String.raw`^\p{L}$`)().flags).toBe('u')
  })
})
