import { describe, expect, it } from 'vitest'
import { failureText, resultText } from '../../src/adapter.ts'
import { activate, open, step } from './session-world.ts'

describe('what a model is shown', () => {
  it('[GATE-7] of a refusal: JSON with code and reason, and the allowed tools if there are any to tell', async () => {
    const { session } = await open()
    const unknown = await step(session, 'Nothing', {})
    const reason = 'There is no tool "Nothing". Call one of the tools that you were given, by its exact name.'
    expect(unknown).toEqual({
      ok: false,
      refusal: { code: 'TOOL_UNKNOWN', reason },
      text: JSON.stringify({ error: { code: 'TOOL_UNKNOWN', reason } }),
    })
    await activate(session, 'mute')
    const refused = await step(session, 'Bash', { command: 'ls' })
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED', allowedTools: [] } })
    expect(JSON.parse(refused.text!)).toMatchObject({ error: { code: 'TOOL_NOT_ALLOWED', allowedTools: [] } })
  })

  it('[GATE-7, ABUSE-44] of a tool that there is not: its name, shortened, and what to do', async () => {
    const { session } = await open()
    expect(await step(session, 'x'.repeat(100), {})).toMatchObject({
      refusal: {
        code: 'TOOL_UNKNOWN',
        reason: `There is no tool "${'x'.repeat(80)}…". Call one of the tools that you were given, by its exact name.`,
      },
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
    expect(() => resultText(1n)).toThrow('serialize a BigInt')
  })

  it('[GATE-7, ABUSE-106] of an error: its message, which the detail of a refusal cuts after 1,000 characters', async () => {
    expect(failureText(new Error('far'))).toBe('far')
    const shownOf = async (thrown: unknown) => {
      const mounts = { mount: () => Promise.reject(thrown), unmount: () => Promise.resolve() }
      const { session } = await open({}, { mounts })
      const outcome = await activate(session, 'free')
      return outcome.ok ? '' : outcome.refusal.detail
    }
    expect(await shownOf(new Error('x'.repeat(1_000)))).toBe('x'.repeat(1_000))
    expect(await shownOf(new Error('x'.repeat(1_001)))).toBe(`${'x'.repeat(1_000)}…`)
    expect(await shownOf('text')).toBe('text')
  })
})
