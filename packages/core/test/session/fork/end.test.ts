import { describe, expect, it, vi } from 'vitest'
import { adapterSession, type AdapterSession } from '../../../src/adapter.ts'
import type { ForkRequest, ForkRunner } from '../../../src/index.ts'
import { makeSkills, open, activate, use, runner } from './fork-world.ts'
import { code, activeNames } from '../outcome.ts'

makeSkills()

describe('while a fork is at work', () => {
  /** A runner that says when it has begun, and goes on when it is let. */
  const waiting = () => {
    const begun = Promise.withResolvers<ForkRequest>()
    const go = Promise.withResolvers<string>()
    const fork: ForkRunner = (request) => {
      begun.resolve(request)
      return go.promise
    }
    return { fork, begun: begun.promise, go: go.resolve }
  }

  /** Ends a session, and lets the time pass for which a fork that ignores its signal is waited for. */
  const endAfterGrace = async (session: AdapterSession): Promise<void> => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ending = session.end()
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await ending
  }

  it('[ACT-10] other calls of the session go on, forks of the same skill among them', async () => {
    const { session } = await open()
    const [first, second] = [waiting(), waiting()]
    const call = { id: 'same', tool: 'activate_skill', input: { name: 'research' } }
    const one = session.call(call, () => '', { fork: first.fork })
    const two = session.call(call, () => '', { fork: second.fork })
    const children = await Promise.all([first.begun, second.begun])
    expect(children.map(({ session: child }) => child.id)).toEqual(['task/same', 'task/same~2'])
    expect(code(await activate(session, 'free'))).toBe('ok')
    second.go('2')
    expect(await two).toMatchObject({ value: { result: '2' } })
    first.go('1')
    expect(await one).toMatchObject({ value: { result: '1' } })
  })

  it('[ACT-7, ACT-10] the end of the session stops it, waits for it, and only then leaves what lies below', async () => {
    const order: string[] = []
    const { session } = await open()
    await activate(session, 'careful')
    const begun = Promise.withResolvers<void>()
    const { fork } = runner(async ({ signal, session: child }) => {
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      order.push(`told, ${activeNames(session).join()} active`, await use(child, 'Read', { file_path: 'a' }))
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`stopped, ${activeNames(session).join()} active`)
      throw new Error('stopped')
    })
    const result = activate(session, 'research', fork).then((outcome) => order.push(code(outcome)))
    await begun.promise
    await session.end()
    order.push('ended')
    await result
    expect(order.slice(0, 3)).toEqual(['told, careful active', 'SESSION_ENDED', 'stopped, careful active'])
    expect(order.slice(3).toSorted()).toEqual(['SESSION_ENDED', 'ended'])
    expect(adapterSession(session).state).toMatchObject({ active: [], ended: true })
  })

  it('[ACT-7, ACT-10] an abort of the call stops it and is thrown on, whatever the sub-agent makes of it', async () => {
    for (const work of [
      (): string => 'all the same',
      (): never => {
        throw new Error('mine')
      },
    ]) {
      const { session } = await open()
      const abort = new AbortController()
      const { fork, requests } = runner(async ({ signal }) => {
        abort.abort(new Error('enough'))
        expect(signal.aborted).toBe(true)
        await Promise.resolve()
        return work()
      })
      const call = { id: 'x', tool: 'activate_skill', input: { name: 'research' } }
      await expect(session.call(call, () => '', { signal: abort.signal, fork })).rejects.toThrow('enough')
      expect(adapterSession(requests[0]!.session).state.ended).toBe(true)
      expect(code(await activate(session, 'free'))).toBe('ok')
    }
  })

  it('[ACT-7, ACT-10] an abort beside the end is an abort', async () => {
    const { session } = await open()
    const abort = new AbortController()
    const { fork, begun, go } = waiting()
    const call = { id: 'x', tool: 'activate_skill', input: { name: 'research' } }
    const result = session.call(call, () => '', { signal: abort.signal, fork })
    await begun
    const ended = session.end()
    abort.abort(new Error('enough'))
    go('late')
    await expect(result).rejects.toThrow('enough')
    await ended
  })

  it('[ACT-7, ACT-10] one that ignores its signal delays the end for no longer than the grace', async () => {
    const { session } = await open()
    const deaf = waiting()
    const result = activate(session, 'research', deaf.fork)
    const { session: child } = await deaf.begun
    await endAfterGrace(adapterSession(session))
    expect(code(await result)).toBe('SESSION_ENDED')
    expect(adapterSession(child).state.ended).toBe(true)
    expect(await use(child, 'Read', { file_path: 'a' })).toBe('SESSION_ENDED')
  })

  it('[ACT-7, ACT-10] one that ends the session above from inside is over after the grace', async () => {
    const { session } = await open()
    const { fork } = runner(async () => {
      await endAfterGrace(adapterSession(session))
      return 'never'
    })
    expect(code(await activate(session, 'research', fork))).toBe('SESSION_ENDED')
    await session.end()
    expect(adapterSession(session).state.ended).toBe(true)
  })

  it('[ACT-7, ACT-10] the end reaches forks of forks', async () => {
    const { session } = await open()
    const inner = waiting()
    const children: AdapterSession[] = []
    const { fork } = runner(async ({ session: child }) => {
      children.push(adapterSession(child))
      await activate(child, 'two', async (request) => {
        children.push(adapterSession(request.session))
        const stopped = new Promise<string>((resolve) =>
          request.signal.addEventListener('abort', () => resolve('x'), { once: true }),
        )
        void inner.fork(request)
        return stopped
      })
      return 'x'
    })
    const result = activate(session, 'one', fork)
    await inner.begun
    await session.end()
    expect(code(await result)).toBe('SESSION_ENDED')
    expect(children.map(({ state }) => state.ended)).toEqual([true, true])
  })

  it('[ACT-10] a call that is aborted or comes after the end begins none', async () => {
    const { session } = await open()
    const { fork, requests } = runner()
    const signal = AbortSignal.abort(new Error('before'))
    const call = { id: 'x', tool: 'activate_skill', input: { name: 'research' } }
    await expect(session.call(call, () => '', { signal, fork })).rejects.toThrow('before')
    const late = session.call(call, () => '', { fork })
    await session.end()
    expect(code(await late)).toBe('SESSION_ENDED')
    expect(requests).toEqual([])
  })
})
