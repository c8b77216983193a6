import { describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../src/index.ts'
import { createDelivery } from '../../src/audit/delivery.ts'
import { foreign } from '../foreign.ts'

const event = (callId: string): AuditEvent => ({ callId }) as AuditEvent

describe('the delivery to a sink', () => {
  it('[OBS-3] waits for nothing where a sink takes events at once', () => {
    const seen: unknown[] = []
    const { deliver } = createDelivery({ write: ({ callId }) => void seen.push(callId) }, 1_000)
    expect([deliver(event('1')), deliver(event('2'))]).toEqual([undefined, undefined])
    expect(seen).toEqual(['1', '2'])
  })

  it('[OBS-3] passes on the next event when the one before is written, also if that failed', async () => {
    const seen: string[] = []
    const gates = new Map<string, PromiseWithResolvers<void>>()
    const { deliver, settled } = createDelivery(
      {
        write({ callId = '' }) {
          seen.push(callId)
          const gate = Promise.withResolvers<void>()
          gates.set(callId, gate)
          return gate.promise
        },
      },
      60_000,
    )
    const taken = ['1', '2', '3'].map((id) =>
      deliver(event(id))!.then(
        () => 'taken',
        (error: Error) => error.message,
      ),
    )
    expect(seen).toEqual(['1'])
    gates.get('1')!.reject(new Error('no'))
    expect(await taken[0]).toBe('no')
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual(['1', '2'])
    gates.get('2')!.resolve()
    expect(await taken[1]).toBe('taken')
    await new Promise((resolve) => setImmediate(resolve))
    gates.get('3')!.resolve()
    await settled()
    expect(seen).toEqual(['1', '2', '3'])
  })

  it('[OBS-3] stops waiting for a sink that hangs, passes it nothing more, and continues when it has finished', async () => {
    const seen: string[] = []
    const first = Promise.withResolvers<void>()
    const { deliver, settled } = createDelivery(
      {
        write({ callId = '' }) {
          seen.push(callId)
          return callId === '1' ? first.promise : undefined
        },
      },
      5,
    )
    const one = deliver(event('1'))
    const two = deliver(event('2'))
    await expect(one).rejects.toThrow('did not answer within 5 ms')
    await expect(two).rejects.toThrow('has not finished')
    await expect(deliver(event('3'))).rejects.toThrow('has not finished')
    await settled()
    expect(seen).toEqual(['1'])
    first.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    await deliver(event('4'))
    expect(seen).toEqual(['1', '4'])
  })

  it('[OBS-3] drops events rather than keep more than ten thousand for a slow sink', async () => {
    let count = 0
    const gate = Promise.withResolvers<void>()
    const { deliver, settled } = createDelivery({ write: () => (count++ === 0 ? gate.promise : undefined) }, 60_000)
    const results = Array.from({ length: 10_005 }, (_, n) =>
      deliver(event(`${n}`))!.then(
        () => true,
        () => false,
      ),
    )
    gate.resolve()
    expect((await Promise.all(results)).filter((taken) => !taken)).toHaveLength(5)
    await settled()
    expect(count).toBe(10_000)
  })

  it('[OBS-3] treats anything that is thrown as a failure', async () => {
    const { deliver } = createDelivery(
      {
        write() {
          throw foreign(undefined)
        },
      },
      5,
    )
    await expect(deliver(event('1'))).rejects.toThrow(Error)
  })

  it('[OBS-3] stops waiting for a sink whose closing never ends', async () => {
    const { close } = createDelivery({ write: () => undefined, close: () => new Promise(() => undefined) }, 5)
    await expect(close()).rejects.toThrow('it did not answer within 5 ms')
  })
})
