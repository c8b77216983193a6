import type { AuditEvent } from '../../src/index.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreign, anyCharacter } from '@repertoire/test-servers/properties'
import { caller, code, keeping, open, types, called } from './world.ts'
import { openRepertoire } from '../../src/index.ts'

describe('audit events', () => {
  it('[OBS-1] hold the digest of an input by default, and the redacted input by option', async () => {
    const sinks = [keeping(), keeping()] as const
    const input = { command: 'curl -H "Authorization: Bearer abc123def456"', password: 'hunter2', note: 'a\nb' }
    for (const [sink, inputs] of [
      [sinks[0], 'none'],
      [sinks[1], 'redacted'],
    ] as const) {
      const { session } = await open({ sink, inputs })
      await caller(session).call('Bash', input)
      const { note, ...rest } = input
      await caller(session).call('Bash', { note, ...rest })
    }
    const [none, redacted] = sinks.map(({ events }) => events)
    expect(JSON.stringify(none)).not.toMatch(/curl|hunter2/)
    expect(new Set(none!.map(({ inputDigest }) => inputDigest)).size).toBe(1)
    expect(redacted![0]!.input).toEqual({
      command: 'curl -H "Authorization: [redacted]"',
      password: '[redacted]',
      note: 'a\\u{A}b',
    })
  })

  it('[OBS-4, ABUSE-98, ABUSE-99] are one line of JSON without a secret, whatever ids, names, errors and inputs hold', async () => {
    const secret = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQaB3dE5gH7jK9mN1pQaB'].join('')
    const nasty = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.constantFrom(
        `x\n{"version":1,"type":"skill.activated"}\r\n\u2028`,
        `\u001B]8;;http://x\u0007`,
        secret,
        '\uD800',
      ),
    )
    // What the model calls a tool is not searched for secrets.
    const names = nasty.filter((text) => !text.includes(secret))
    await fc.assert(
      fc.asyncProperty(nasty, names, names, nasty, async (text, id, tool, agent) => {
        const sink = keeping()
        const { session } = await open(
          { sink, inputs: 'redacted' },
          { agent, tenant: text, correlationId: id, id: `t ${text}` },
        )
        const throwing = (): never => {
          throw new Error(`${text} ${secret}`)
        }
        const { call } = caller(session)
        await call('Bash', { command: text, [text]: id }, { id, run: throwing }).catch(() => undefined)
        await call(tool, text, { id })
        await session.activate(text === '' ? 'x' : text, { id })
        expect(sink.events.length).toBeGreaterThanOrEqual(4)
        for (const event of sink.events) {
          const line = JSON.stringify(event)
          expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u)
          expect(JSON.parse(line)).toEqual(event)
          expect(line).not.toContain(secret.slice(4))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('[OBS-4] are the same frozen objects for every sink', async () => {
    const seen: AuditEvent[] = []
    const sink = keeping()
    const writing = {
      write(event: AuditEvent) {
        seen.push(event)
        ;(event as { type: string }).type = 'forged'
      },
    }
    const { session, problems } = await open([writing, sink])
    await caller(session).activate('git')
    expect(seen).toEqual([...sink.questions, ...sink.events])
    for (const event of seen) expect([...sink.questions, ...sink.events].some((other) => other === event)).toBe(true)
    expect(types(sink.events)).toEqual(['skill.activating', 'skill.activated'])
    const deep = sink.events[1]!
    expect([deep, deep.skill, deep.skills, deep.skill!.allowedTools].every(Object.isFrozen)).toBe(true)
    expect(problems).toMatchObject([{ code: 'AUDIT_FAILED' }])
  })

  it('[OBS-3] does nothing without a sink, and says which value is not a sink', async () => {
    for (const audit of [undefined, [], { sink: [] }]) {
      const { session } = await open(audit, { correlationId: 'kept' })
      expect(code(await caller(session).activate('git'))).toBe('ok')
      expect(session.state.correlationId).toBe('kept')
      await called(session, undefined, { inputTokens: 1 })
      await session.end()
    }
    const sink = keeping()
    // A sink may have a property `sink`.
    const { session } = await open(foreign({ ...sink, sink: 'elsewhere' }))
    await caller(session).activate('git')
    expect(types(sink.events)).toEqual(['skill.activating', 'skill.activated'])
    for (const [audit, message] of [
      [{}, '`audit.sink` is missing'],
      [[{}], '`audit[0]` has no `write`'],
      [{ sink: null }, '`audit.sink` is null'],
      [{ sink: [], required: true }, '`audit` is required and has no sink'],
      [{ sink, timeout: 0 }, '`audit.timeout` is 0'],
      [{ sink, inputs: 'all' }, '`audit.inputs` is "all"'],
      [{ sink, now: 5 }, '`audit.now` is 5'],
    ] as const) {
      await expect(openRepertoire({ sources: [], audit: foreign(audit) })).rejects.toThrow(message)
    }
  })
})
