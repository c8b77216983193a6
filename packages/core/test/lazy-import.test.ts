import { describe, expect, it } from 'vitest'
import { lazyImport } from '../src/lazy-import.ts'

describe('lazyImport', () => {
  it('[NFR-4] imports once, when it is first asked to, and has the module from then on', async () => {
    let imports = 0
    const lazy = lazyImport(async () => ++imports)
    expect([lazy.loaded, imports]).toEqual([undefined, 0])
    expect(await Promise.all([lazy.load(), lazy.load()])).toEqual([1, 1])
    expect([lazy.loaded, await lazy.load(), imports]).toEqual([1, 1, 1])
  })

  it('[NFR-4] tries again where an import has failed', async () => {
    const results = [Promise.reject(new Error('gone')), Promise.resolve('here')]
    const lazy = lazyImport(() => results.shift()!)
    await expect(lazy.load()).rejects.toThrow('gone')
    expect(lazy.loaded).toBeUndefined()
    expect(await lazy.load()).toBe('here')
  })

  it('[NFR-4, GATE-2] lets those who wait for a module go on before those who find it', async () => {
    const imported = Promise.withResolvers<string>()
    const lazy = lazyImport(() => imported.promise)
    const order: string[] = []
    const use = async (who: string): Promise<void> => {
      // oxlint-disable-next-line no-unused-expressions
      lazy.loaded ?? (await lazy.load())
      order.push(who)
    }
    const used = [use('first'), use('second')]
    const joined = inEachMicrotask(
      () => order.length > 3,
      () => used.push(use(`late ${used.length}`)),
    )
    imported.resolve('module')
    await joined
    await Promise.all(used)
    expect(order.slice(0, 2)).toEqual(['first', 'second'])
    expect(order).toEqual([...order].toSorted((a, b) => place(a) - place(b)))
  })
})

/** Works in one microtask after the other until it is done. */
async function inEachMicrotask(isDone: () => boolean, work: () => void): Promise<void> {
  while (!isDone()) {
    work()
    await Promise.resolve()
  }
}

function place(who: string): number {
  return who === 'first' ? 0 : who === 'second' ? 1 : Number(who.slice('late '.length))
}
