import { describe, expect, it } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { openStoredSession, withStoredSession } from '../../src/index.ts'
import { activeNames, code } from '../session/outcome.ts'
import { hooksBy } from '../session/hook-runner.ts'
import { activate, step } from '../session/session-world.ts'
import { call, carryOut, changed, MINUTE, openSkills, world } from './stored-world.ts'

describe('a session in a store', () => {
  it('[LIB-11] goes on in another process as it was, before the result of the first is returned', async () => {
    const { store, machine } = await world()
    const options = { store, id: 'chat', consent: () => true }
    const told = await withStoredSession(machine, options, async (session, { version }) => {
      await activate(adapterSession(session), 'plain')
      return version
    })
    expect(told).toBe(0)
    expect((await store.load('chat'))?.version).toBe(1)
    const asked: string[] = []
    const consent = ({ text }: { readonly text: string }) => asked.push(text) > 0
    await withStoredSession(await openSkills(), { ...options, consent, atLeast: 1 }, async (session, stored) => {
      expect(activeNames(session)).toEqual(['plain'])
      expect([stored.version, stored.token]).toEqual([1, 2])
      await step(adapterSession(session), 'deactivate_skill', {})
      await activate(adapterSession(session), 'plain')
    })
    expect(asked).toEqual([])
    // Once before the activation began, and once at the end.
    expect((await store.load('chat'))?.version).toBe(3)
  })

  it('[LIB-11] stays free when a run that was aborted saves it after it was closed', async () => {
    const { opened } = await world()
    const first = await opened({ consent: () => true })
    await activate(adapterSession(first.session), 'plain')
    await first.close()
    await first.save()
    const next = await opened()
    expect(activeNames(next.session)).toEqual(['plain'])
    await next.close()
  })

  it('[LIB-11] is not stored if nothing has happened in it, and is stored after a failure', async () => {
    const { store, machine } = await world()
    const options = { store, id: 'chat', consent: () => true }
    await withStoredSession(machine, options, async () => {})
    expect(await store.load('chat')).toBeUndefined()
    const failing = withStoredSession(machine, options, async (session) => {
      await activate(adapterSession(session), 'plain')
      throw new Error('The model is gone.')
    })
    await expect(failing).rejects.toThrow('The model is gone.')
    expect((await store.load('chat'))?.version).toBe(1)
  })

  it('[LIB-11] is open in one process at a time: another waits, or is told', async () => {
    const { opened } = await world()
    const first = await opened({ consent: () => true })
    await expect(opened()).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
    await activate(adapterSession(first.session), 'plain')
    const second = opened({ wait: MINUTE })
    await first.close()
    expect(activeNames((await second).session)).toEqual(['plain'])
    expect(code(await activate(adapterSession(first.session), 'plain'))).toBe('SESSION_ENDED')
    await first.close()
    await (await second).close()
  })

  it('[LIB-11] ends the wait for another process with the signal', async () => {
    const { opened } = await world()
    const first = await opened()
    const leaving = new AbortController()
    const waiting = opened({ wait: MINUTE, signal: leaving.signal })
    leaving.abort(new Error('The person has left.'))
    await expect(waiting).rejects.toThrow('The person has left.')
    await first.close()
  })

  it('[LIB-11] has a request stored before anybody sees it, and its answer counts once, on one of two machines', async () => {
    let ran = 0
    const { opened, store } = await world({ scripts: hooksBy(() => ({ ok: ++ran > 0 })) })
    const first = await opened()
    const request = (await adapterSession(first.session).preview(call, { asks: true })).waits
    expect((await store.load('chat'))?.version).toBe(1)
    await first.close()
    const answer = { requestId: request!.id, approved: true }
    const machines = [1, 2].map(async () => {
      const stored = await opened({ wait: MINUTE })
      stored.session.answer(answer)
      const outcome = await carryOut(stored.session)
      await stored.close()
      return outcome.ok
    })
    // To the second the skill is active already.
    expect(await Promise.all(machines)).toEqual([true, true])
    expect(ran).toBe(1)
    const last = await opened()
    expect(adapterSession(last.session).state).toMatchObject({ open: [], active: [{ name: 'hooked' }] })
    await last.close()
  })

  it('[LIB-11] carries out a call that was asked about once, whichever machines the answer reaches', async () => {
    const { opened } = await world({ policy: { ask: ['Bash'] } })
    const asked = { id: 'b1', tool: 'Bash', input: { command: 'deploy' } }
    const first = await opened()
    const request = (await adapterSession(first.session).preview(asked, { asks: true })).waits
    await first.close()
    let deployed = 0
    const outcomes = await Promise.all(
      [1, 2, 3].map(async () => {
        const stored = await opened({ wait: MINUTE })
        // As frameworks do, which ask again about a call that they find without a result.
        await adapterSession(stored.session).preview(asked, { asks: true })
        stored.session.answer({ requestId: request!.id, approved: true })
        const outcome = await stored.session.call(asked, () => ++deployed)
        await stored.close()
        return outcome.ok
      }),
    )
    expect(deployed).toBe(1)
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  it('[LIB-11] does not begin once more what was approved, after a crash in the middle of it', async () => {
    const reached = Promise.withResolvers<void>()
    let hooks = 0
    const hangs = (): Promise<never> => {
      hooks++
      reached.resolve()
      return new Promise(() => {})
    }
    const { opened, pass } = await world({ scripts: hooksBy(hangs) })
    const crashing = await opened()
    const request = (await adapterSession(crashing.session).preview(call, { asks: true })).waits
    crashing.session.answer({ requestId: request!.id, approved: true })
    void carryOut(crashing.session).catch(() => {})
    await reached.promise
    pass(MINUTE)
    const next = await opened()
    expect(adapterSession(next.session).state).toMatchObject({ active: [], granted: [], open: [] })
    // The same answer comes once more, with all that a framework does with it.
    expect((await adapterSession(next.session).preview(call, { asks: true })).waits).toBeUndefined()
    next.session.answer({ requestId: request!.id, approved: true })
    expect(code(await carryOut(next.session))).toBe('CONSENT_DENIED')
    expect(hooks).toBe(1)
    // Whoever still wants it is asked again.
    expect((await adapterSession(next.session).preview({ ...call, id: 'c2' }, { asks: true })).waits).toBeDefined()
    await next.close()
    await expect(crashing.close()).rejects.toMatchObject({ code: 'LEASE_LOST' })
  })

  it('[LIB-11] of a machine that was stopped saves nothing and begins nothing, once another has the lease', async () => {
    let hooks = 0
    const { opened, pass, store } = await world({ scripts: hooksBy(() => ({ ok: ++hooks > 0 })) })
    const stopped = await opened({ consent: () => true })
    await activate(adapterSession(stopped.session), 'plain')
    await stopped.save()
    pass(MINUTE)
    const other = await opened({ consent: () => true })
    expect(other.token).toBeGreaterThan(stopped.token)
    await step(adapterSession(other.session), 'deactivate_skill', {})
    expect(code(await carryOut(stopped.session))).toBe('SESSION_ENDED')
    expect(hooks).toBe(0)
    expect(stopped.signal.reason).toMatchObject({ code: 'LEASE_LOST' })
    await expect(stopped.save()).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await other.close()
    await expect(stopped.close()).rejects.toMatchObject({ code: 'LEASE_LOST' })
    expect(await store.load('chat')).toMatchObject({ version: 2, saved: { state: { active: [] } } })
  })

  it('[LIB-11] aborts its signal when the lease is lost, or may be since the store answers no longer', async () => {
    for (const renew of [
      async () => false,
      () => Promise.reject(new Error('gone')),
      () => new Promise<boolean>(() => {}),
    ]) {
      const { store, machine } = await world()
      const lost = await openStoredSession(machine, { store: changed(store, { renew }), id: 'chat', lease: 6 })
      if (!lost.signal.aborted) await new Promise((resolve) => lost.signal.addEventListener('abort', resolve))
      expect(lost.signal.reason).toMatchObject({ code: 'LEASE_LOST' })
      expect(code(await activate(adapterSession(lost.session), 'plain'))).toBe('SESSION_ENDED')
      await lost.close().catch(() => {})
    }
  })
})
