// An algorithm without its own entry point, tested beside its source.
import { describe, expect, it } from 'vitest'
import { createLifetime } from './lifetime.ts'
import { createStateHolder } from './state/state.ts'
import { initialState } from './state/state.ts'

const state = () => createStateHolder(initialState('task'))

describe('the work of a session', () => {
  it('[ACT-6] is done in the order of its arrival, even where earlier work fails', async () => {
    const lifetime = createLifetime(state())
    const first = Promise.withResolvers<string>()
    const done: string[] = []
    const work = (name: string, result: unknown) => () => {
      done.push(name)
      return result
    }
    const all = [
      lifetime.runExclusive(work('one', first.promise)),
      lifetime.runExclusive(() => {
        done.push('two')
        throw new Error('two failed')
      }),
      lifetime.runExclusive(work('three', 3)),
    ]
    const ends = Promise.allSettled(all)
    await Promise.resolve()
    expect(done).toEqual(['one'])
    first.resolve('1')
    expect(await ends).toMatchObject([
      { status: 'fulfilled', value: '1' },
      { status: 'rejected', reason: { message: 'two failed' } },
      { status: 'fulfilled', value: 3 },
    ])
    expect(done).toEqual(['one', 'two', 'three'])
  })
})

describe('work that is given up at the end', () => {
  /** Waits for the signal that it is given, and fails with its reason. */
  const waiting = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

  it('[ACT-7] returns its result where the session does not end', async () => {
    const lifetime = createLifetime(state())
    expect(lifetime.endSignal.aborted).toBe(false)
    expect(await lifetime.runUntilEnd(undefined, (signal) => signal === lifetime.endSignal)).toBe(true)
    expect(await lifetime.runUntilEnd(new AbortController().signal, () => Promise.resolve(7))).toBe(7)
  })

  it('[ACT-7] returns nothing where the session ends, with and without a signal of its run', async () => {
    const lifetime = createLifetime(state())
    const both = [lifetime.runUntilEnd(undefined, waiting), lifetime.runUntilEnd(new AbortController().signal, waiting)]
    lifetime.beginEnd()
    expect(lifetime.endSignal.aborted).toBe(true)
    expect(await Promise.all(both)).toEqual([undefined, undefined])
  })

  it('[ACT-7] throws the reason of its run if that is aborted', async () => {
    const lifetime = createLifetime(state())
    const stop = new AbortController()
    const work = lifetime.runUntilEnd(stop.signal, waiting)
    stop.abort(new Error('stopped'))
    await expect(work).rejects.toThrow('stopped')
    expect(lifetime.endSignal.aborted).toBe(false)
    // Also where it fails with something else meanwhile.
    const failing = lifetime.runUntilEnd(stop.signal, () => Promise.reject(new Error('other')))
    await expect(failing).rejects.toThrow('stopped')
  })

  it('[ACT-7] throws its own error, also after the end', async () => {
    const lifetime = createLifetime(state())
    const failing = (): never => {
      throw new Error('by itself')
    }
    await expect(lifetime.runUntilEnd(undefined, failing)).rejects.toThrow('by itself')
    await expect(lifetime.runUntilEnd(new AbortController().signal, failing)).rejects.toThrow('by itself')
    lifetime.beginEnd()
    await expect(lifetime.runUntilEnd(undefined, failing)).rejects.toThrow('by itself')
  })

  it('[ACT-7] aborts its signal with an ordinary `AbortError`', async () => {
    const usual = AbortSignal.abort().reason as DOMException
    for (const signal of [undefined, new AbortController().signal]) {
      const lifetime = createLifetime(state())
      const heard: unknown[] = []
      const work = lifetime.runUntilEnd(signal, async (given) => {
        given.addEventListener('abort', () => heard.push(given.reason))
        await waiting(given)
      })
      lifetime.beginEnd()
      lifetime.beginEnd()
      expect(await work).toBeUndefined()
      expect(heard).toEqual([lifetime.endSignal.reason])
      expect(lifetime.endSignal.reason).toBeInstanceOf(DOMException)
      expect(lifetime.endSignal.reason).toMatchObject({ name: 'AbortError', message: usual.message, code: usual.code })
      expect(() => lifetime.endSignal.throwIfAborted()).toThrow(usual.message)
    }
  })

  it('[ACT-7, ACT-10] ends with the session above too', async () => {
    const parent = new AbortController()
    const lifetime = createLifetime(state(), parent.signal)
    const work = lifetime.runUntilEnd(undefined, waiting)
    parent.abort(new Error('parent'))
    expect(lifetime.endSignal.aborted).toBe(true)
    expect(await work).toBeUndefined()
    const own = createLifetime(state(), new AbortController().signal)
    own.beginEnd()
    expect(own.endSignal.aborted).toBe(true)
  })
})
