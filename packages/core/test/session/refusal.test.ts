import { describe, expect, it } from 'vitest'
import { failureText, resultText } from '../../src/adapter.ts'
import { failureReason, refused, unknownTool } from '../../src/session/refusal.ts'

describe('what a model is shown', () => {
  it('[GATE-7] of a refusal: JSON with code and reason, and the allowed tools where there are any to tell', () => {
    const plain = refused({ code: 'TOOL_UNKNOWN', reason: 'There is none.' })
    expect(plain).toEqual({
      ok: false,
      refusal: { code: 'TOOL_UNKNOWN', reason: 'There is none.' },
      text: '{"error":{"code":"TOOL_UNKNOWN","reason":"There is none."}}',
    })
    expect(refused({ code: 'TOOL_NOT_ALLOWED', reason: 'No.', allowedTools: [] }).text).toBe(
      '{"error":{"code":"TOOL_NOT_ALLOWED","reason":"No.","allowedTools":[]}}',
    )
  })

  it('[GATE-7, ABUSE-44] of a tool that there is not: its name, shortened, and what to do', () => {
    expect(unknownTool('x'.repeat(100)).refusal).toEqual({
      code: 'TOOL_UNKNOWN',
      reason: `There is no tool "${'x'.repeat(80)}…". Call one of the tools that you were given, by its exact name.`,
    })
  })

  it.each([
    ['text', 'text'],
    ['', ''],
    [7, '7'],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    [null, 'null'],
    [undefined, 'null'],
    [() => 1, 'null'],
    [Symbol('s'), 'null'],
  ])('[ADPT-4] of what a host’s tool returned: %j as %s', (value, text) => {
    expect(resultText(value)).toBe(text)
  })

  it('[ADPT-4] of what JSON cannot carry: nothing, it is an error', () => {
    expect(() => resultText(1n)).toThrow(TypeError)
  })

  it('[GATE-7, ABUSE-106] of an error: what it says of itself, cut where it is long', () => {
    expect(failureText(new Error('far'))).toBe('far')
    expect(failureReason(new Error('x'.repeat(1_000)))).toBe('x'.repeat(1_000))
    expect(failureReason(new Error('x'.repeat(1_001)))).toBe(`${'x'.repeat(1_000)}…`)
    expect(failureReason('text')).toBe('text')
  })
})
