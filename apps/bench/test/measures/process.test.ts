import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { timeImports } from '../../src/measures/imports.ts'
import { timeScans, weighResult } from '../../src/measures/scan.ts'
import { ChildFailure, takeTurns } from '../../src/run-child.ts'

const before = globalThis.gc
afterEach(() => void (globalThis.gc = before))

describe('weighResult', () => {
  it('[NFR-3] weighs what the result keeps, and not what the scan throws away', async () => {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
    const scan = (): unknown => {
      const waste = Array.from({ length: 2_000_000 }, (_, index) => ({ index }))
      return new Float64Array(5_000_000 + (waste.length % 2))
    }
    const kept = await weighResult({ scan, read: () => [] })
    expect(kept).toBeGreaterThan(39_000_000)
    // Other tests of this worker may allocate a little meanwhile; what is thrown away is 60 MB.
    expect(kept).toBeLessThan(44_000_000)
  })

  it('[NFR-3] refuses to weigh without a garbage collector to call', async () => {
    globalThis.gc = undefined
    await expect(weighResult({ scan: () => 1, read: () => [] })).rejects.toThrow('--expose-gc')
  })
})

describe('timeScans', () => {
  it('[NFR-1] waits for each scan to end before the next begins, and reloads the last result', async () => {
    let running = 0
    let most = 0
    let scans = 0
    const reloaded: unknown[] = []
    const scan = async (): Promise<number> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return ++scans
    }
    const reload = async (result: never): Promise<void> => void reloaded.push(result)
    const { first, repeated, reloads } = await timeScans({ scan, reload, read: () => [] }, 0)
    expect(most).toBe(1)
    expect([repeated.length, reloads.length, reloaded]).toEqual([3, 3, [4, 4, 4]])
    expect(first).toBeGreaterThan(0)
    expect((await timeScans({ scan, read: () => [] }, 0)).reloads).toEqual([])
  })
})

describe('takeTurns', () => {
  it('[NFR-1] runs everyone once a round, each first in some round, until one fails', async () => {
    const order: string[] = []
    const turns = await takeTurns(['a', 'fails', 'b'], 3, async (id, round) => {
      order.push(`${id}${round}`)
      if (id === 'fails' && round === 1) throw new ChildFailure('took longer than 1 s')
      return round
    })
    expect(order).toEqual(['a0', 'fails0', 'b0', 'fails1', 'b1', 'a1', 'b2', 'a2'])
    expect([...turns]).toEqual([
      ['a', { answers: [0, 1, 2] }],
      ['fails', { answers: [0], failure: 'took longer than 1 s' }],
      ['b', { answers: [0, 1, 2] }],
    ])
    const broken = takeTurns(['a'], 1, () => Promise.reject(new TypeError('a mistake of the bench')))
    await expect(broken).rejects.toThrow('a mistake of the bench')
  })
})

describe('timeImports', () => {
  it('[NFR-5] times two processes, and says which import failed', async () => {
    const options = { source: true, timeout: 60_000 }
    const { own, base } = await timeImports({ own: ['node:fs'], base: [] }, options)
    expect([own > 0, base! > 0]).toEqual([true, true])
    await expect(timeImports({ own: ['no-such-package'], base: [] }, options)).rejects.toThrow('no-such-package')
  })
})
