import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { weighResult } from '../../src/measures/heap.ts'
import { timeScans } from '../../src/measures/scan.ts'
import { temporary } from '../temporary.ts'

const before = globalThis.gc
afterEach(() => void (globalThis.gc = before))

describe('weighResult', () => {
  it('[NFR-1] weighs what the result alone keeps, and not what the scan throws away', async () => {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
    const scan = (): unknown => {
      const waste = Array.from({ length: 200_000 }, (_, index) => ({ index }))
      return new Float64Array(500_000 + (waste.length % 2))
    }
    const { kept } = await weighResult({ scan, read: () => [] })
    expect(kept).toBeGreaterThan(3_900_000)
    expect(kept).toBeLessThan(4_400_000)
  })

  it('[NFR-1] refuses to weigh where garbage cannot be collected', async () => {
    globalThis.gc = undefined
    await expect(weighResult({ scan: () => 1, read: () => [] })).rejects.toThrow('--expose-gc')
  })
})

describe('lateModules', () => {
  it('[NFR-1] names what a scan imports, and only that', async () => {
    const folder = temporary()
    for (const name of ['early', 'late']) writeFileSync(join(folder, `${name}.mjs`), 'export const value = 1\n')
    const url = (name: string): string => pathToFileURL(join(folder, `${name}.mjs`)).href
    // Vitest loads modules in a way of its own, so that a plain Node has to do it.
    const program = `
      import { lateModules } from ${JSON.stringify(new URL('../../src/measures/late-modules.ts', import.meta.url).href)}
      await import(${JSON.stringify(url('early'))})
      const contestant = { scan: () => import(${JSON.stringify(url('late'))}), read: () => [] }
      process.stdout.write(JSON.stringify(await lateModules(contestant)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    expect(JSON.parse(stdout)).toEqual({ urls: [url('late')] })
  })
})

describe('timeScans', () => {
  it('[NFR-1] waits for each scan to end before the next begins', async () => {
    let running = 0
    let most = 0
    const scan = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    const { first, repeated, peakRss } = await timeScans({ scan, read: () => [] }, 0)
    expect(most).toBe(1)
    expect(repeated).toHaveLength(3)
    expect([first > 0, peakRss > 1e6]).toEqual([true, true])
  })
})
