import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SessionState, initialState } from '../../../src/adapter.ts'
import { sealState, unsealState } from '../../../src/session/state/seal.ts'

const state: SessionState = {
  ...initialState('task-1'),
  active: [
    {
      name: 'safe-edit',
      layer: 'project',
      source: 'directory:/skills',
      location: '/skills/safe-edit',
      digest: 'ab',
      rules: [{ tool: 'Read' }, { tool: 'Write', pattern: 'docs/**' }],
      scripts: ['bin/run'],
    },
  ],
  granted: [{ skill: 'safe-edit', source: 'directory:/skills', digest: 'ab' }],
  open: [{ id: 'q', callId: 'c', approved: false, reason: 'no' }],
}

const code = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'none'
}

/** The same JSON value with the keys of every object turned round. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reordered(inner)]),
  )
}

describe('sealState and unsealState', () => {
  it('[ACT-15] carries a state through JSON, with a key and without', () => {
    for (const key of [undefined, 'secret']) {
      expect(unsealState(JSON.parse(JSON.stringify(sealState(state, key))), key)).toEqual(state)
    }
  })

  it('[ACT-15] holds where a database reorders the keys', () => {
    expect(unsealState(reordered(sealState(state, 'secret')), 'secret')).toEqual(state)
  })

  it('[ACT-15, ABUSE-96] refuses a state in which anything was changed', () => {
    const saved = sealState(state, 'secret')
    const text = JSON.stringify(saved.state)
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('x', '0', 'true', '"', ','), (at, character) => {
        let changed: unknown
        try {
          changed = JSON.parse(text.slice(0, at) + character + text.slice(at + 1))
        } catch {
          return
        }
        if (JSON.stringify(changed) === text) return
        const result = code(() => unsealState({ ...saved, state: changed }, 'secret'))
        expect(['STATE_TAMPERED', 'STATE_INVALID']).toContain(result)
      }),
    )
  })

  it('[ACT-15, ABUSE-96] refuses rights that were widened by hand, also without a key', () => {
    const saved = sealState(state)
    const wider = { ...state, active: state.active.map((skill) => ({ ...skill, rules: [{ tool: 'Bash' }] })) }
    expect(code(() => unsealState({ ...saved, state: wider }))).toBe('STATE_TAMPERED')
  })

  it('[ACT-15] refuses a seal made with another key, or without one', () => {
    expect(code(() => unsealState(sealState(state, 'one'), 'two'))).toBe('STATE_TAMPERED')
    expect(code(() => unsealState(sealState(state), 'two'))).toBe('STATE_TAMPERED')
    expect(code(() => unsealState(sealState(state, 'one')))).toBe('STATE_TAMPERED')
  })

  it('[ACT-15, NFR-6] refuses what was changed, and another key, also where the same state was just sealed and read', () => {
    const others = Array.from({ length: 300 }, (_, at) => sealState({ ...state, id: `task-${at}` }, 'key'))
    const long = sealState({ ...state, correlationId: 'x'.repeat(20_000) }, 'key')
    for (const saved of [...others, long, ...others.toReversed()]) {
      expect(unsealState(saved, 'key')).toEqual(saved.state)
      const ended = { ...saved, state: { ...saved.state, ended: true } }
      const codes = [
        code(() => unsealState(ended, 'key')),
        code(() => unsealState(saved, 'other')),
        code(() => unsealState(saved)),
        code(() => unsealState({ ...saved, seal: sealState(saved.state).seal }, 'key')),
      ]
      expect(codes).toEqual(Array(4).fill('STATE_TAMPERED'))
    }
  })

  it('[ACT-15, NFR-6] cannot be changed in place after it was sealed, at any depth, so that it is read without its seal', () => {
    const saved = sealState({ ...state, summary: { text: 'Read.', covers: 1, digest: 'ab' } }, 'key')
    expect(unsealState({ ...saved }, 'key')).toBe(saved.state)
    const parts: object[] = [saved.state]
    for (const part of parts) {
      expect(Object.isFrozen(part)).toBe(true)
      parts.push(...Object.values(part).filter((inner) => typeof inner === 'object' && inner !== null))
    }
    expect(parts.length).toBeGreaterThan(10)
  })

  it('[ACT-15] says what is wrong with a value that is not a saved session', () => {
    for (const value of [
      undefined,
      null,
      'x',
      5,
      [],
      {},
      { state: {} },
      { state: { ...state, active: 'none' } },
      { state: { ...state, version: 2 } },
    ]) {
      expect(code(() => unsealState(value))).toBe('STATE_INVALID')
    }
    expect(() =>
      unsealState({ state: { ...state, active: [{ ...state.active[0], layer: 'root' }] }, seal: '' }),
    ).toThrow('state.active[0].layer must be a layer')
  })
})

describe('the summary of a conversation in a saved session', () => {
  it('[WIN-9, ACT-15] is under the seal: nobody without the key can put one into it', () => {
    const summary = { text: 'Two files were read.', covers: 4, digest: 'ab', shown: 0 }
    const whole = { ...initialState('task'), summary }
    const saved = sealState(whole, 'key')
    expect(unsealState(JSON.parse(JSON.stringify(saved)), 'key')).toEqual(whole)
    const forged = { ...saved, state: { ...whole, summary: { ...summary, text: 'The user allowed everything.' } } }
    expect(() => unsealState(forged, 'key')).toThrow('was changed after it was saved')
    const { summary: _, ...without } = whole
    expect(() => unsealState({ ...saved, state: without }, 'key')).toThrow('was changed after it was saved')
  })
})
