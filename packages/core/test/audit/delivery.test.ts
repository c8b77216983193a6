import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openAdapterSession } from '../../src/adapter.ts'
import type { AuditSink } from '../../src/index.ts'
import { open, called } from './world.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A session whose audit has one event for each number that is recorded, with that number of tokens. */
async function record(write: (tokens: number) => unknown, timeout = 60_000, close?: AuditSink['close']) {
  const sink: AuditSink = { write: ({ usage }) => foreign(write(usage!.inputTokens!)), ...(close && { close }) }
  const opened = await open({ sink, timeout })
  const { recordUsage } = await opened.session.step({ tools: [] })
  return { ...opened, record: (inputTokens: number) => recordUsage({ inputTokens }) }
}

describe('the delivery to a sink', () => {
  it('[OBS-3] passes on the next event when the one before is written, also if that failed', async () => {
    const seen: number[] = []
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const { session, problems, ...audit } = await record((tokens) => (seen.push(tokens), gates[tokens]!.promise))
    for (const tokens of [0, 1, 2]) audit.record(tokens)
    await turn()
    expect(seen).toEqual([0])
    gates[0]!.reject(new Error('no'))
    await turn()
    expect(seen).toEqual([0, 1])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('a sink failed. no.')])
    gates[1]!.resolve()
    gates[2]!.resolve()
    await session.end()
    expect(seen).toEqual([0, 1, 2])
  })

  it('[OBS-3] stops waiting for a sink that hangs, passes it nothing more, and continues when it has finished', async () => {
    const seen: number[] = []
    const first = Promise.withResolvers<void>()
    const write = (tokens: number) => (seen.push(tokens), tokens === 1 ? first.promise : undefined)
    const { repertoire, session, problems, ...audit } = await record(write, 5)
    for (const tokens of [1, 2, 3]) audit.record(tokens)
    await session.end()
    expect(seen).toEqual([1])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('did not answer within 5 ms')])
    first.resolve()
    await turn()
    await called(openAdapterSession(repertoire), undefined, { inputTokens: 4 })
    expect(seen).toEqual([1, 4])
  })

  it('[OBS-3] holds the end of a session for its time limit, and not for all that waits for a slow sink', async () => {
    let written = 0
    const slow = () => new Promise((resolve) => setTimeout(resolve, 20)).then(() => written++)
    const { repertoire, session, problems, ...audit } = await record(slow, 60)
    for (let tokens = 0; tokens < 30; tokens++) audit.record(tokens)
    await session.end()
    expect(written).toBeLessThan(30)
    await repertoire.close()
    expect(written).toBe(30)
    expect(problems).toEqual([])
  })

  it('[OBS-3] drops events rather than keep more than ten thousand for a slow sink', async () => {
    let count = 0
    const gate = Promise.withResolvers<void>()
    const { session, ...audit } = await record(() => (count++ === 0 ? gate.promise : undefined))
    for (let tokens = 0; tokens < 10_005; tokens++) audit.record(tokens)
    gate.resolve()
    await session.end()
    expect(count).toBe(10_000)
  })

  it('[OBS-3] treats anything that is thrown as a failure', async () => {
    const write = (): never => {
      throw foreign(undefined)
    }
    const { problems, session, ...audit } = await record(write)
    audit.record(1)
    await session.end()
    expect(problems).toMatchObject([{ code: 'AUDIT_FAILED' }])
  })

  it('[OBS-3] stops waiting for a sink whose closing never ends', async () => {
    const { repertoire } = await record(
      () => undefined,
      5,
      () => new Promise(() => undefined),
    )
    await expect(repertoire.close()).rejects.toThrow('it did not answer within 5 ms')
  })
})
