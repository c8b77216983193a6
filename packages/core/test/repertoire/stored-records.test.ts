import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { adapterSession, openAdapterSession } from '../../src/adapter.ts'
import { type SessionStore, memorySessions } from '../../src/index.ts'
import { activeNames, code } from '../session/outcome.ts'
import { activate, step } from '../session/session-world.ts'
import { call, carryOut, changed, MINUTE, openSkills, world } from './stored-world.ts'
import { hooksBy } from '../session/hook-runner.ts'

describe('what is found in a store', () => {
  /** A session that was saved twice, and what was saved first. */
  async function savedTwice() {
    const { store, opened, machine, pass } = await world()
    const first = await opened({ consent: () => true })
    await activate(adapterSession(first.session), 'plain')
    await first.save()
    const before = await store.load('chat')
    await step(adapterSession(first.session), 'deactivate_skill', {})
    await first.close()
    return { store, opened, machine, pass, before: before! }
  }

  it('[LIB-11] is refused as an older version under the newest number, by whatever process', async () => {
    const { store, before, opened } = await savedTwice()
    const lease = await store.acquire('chat', { duration: 1_000 })
    await store.save(lease!, before.saved, { ifVersion: 2, timeToLive: MINUTE })
    await store.release(lease!)
    const fresh = changed(store, {})
    await expect(opened({ store: fresh })).rejects.toMatchObject({ code: 'STATE_OUTDATED' })
    // The refusal leaves nothing behind that keeps others away.
    await expect(opened({ store: fresh })).rejects.toMatchObject({ code: 'STATE_OUTDATED' })
  })

  it('[LIB-11] is refused with its old number by a process that has seen a newer one, or whose host has', async () => {
    const { store, before, opened } = await savedTwice()
    const load = async () => before
    Object.assign(store, { load })
    await expect(opened()).rejects.toMatchObject({ code: 'STATE_OUTDATED' })
    const restored = changed(store, {})
    await expect(opened({ store: restored, atLeast: 2 })).rejects.toMatchObject({ code: 'STATE_OUTDATED' })
    await expect(opened({ store: changed(store, { load: async () => undefined }), atLeast: 2 })).rejects.toMatchObject({
      code: 'STATE_OUTDATED',
    })
    await expect(
      opened({ store: changed(store, { load: async () => ({ version: 2, saved: undefined }) }) }),
    ).rejects.toMatchObject({ code: 'STATE_OUTDATED' })
  })

  it('[LIB-11] is compared with a version that the host gives, and with nothing else in its place', async () => {
    const { opened } = await savedTwice()
    for (const atLeast of [Number.NaN, -1, 1.5, '2', null] as number[]) {
      await expect(opened({ atLeast })).rejects.toThrow('`atLeast` is ')
    }
  })

  it('[LIB-11] is refused under another name, of another tenant, changed, or past its time', async () => {
    const { store, opened, machine } = await savedTwice()
    const record = (await store.load('chat'))!
    const under = (changes: Partial<SessionStore>, id = 'chat', by = machine) =>
      opened({ store: changed(store, { load: async () => record, ...changes }), id }, by)
    await expect(under({}, 'other')).rejects.toMatchObject({ code: 'STATE_INVALID' })
    await expect(under({ tenant: 'rival' })).rejects.toMatchObject({ code: 'STATE_INVALID' })
    await expect(under({}, 'chat', await openSkills({ sessionSecret: 'another' }))).rejects.toMatchObject({
      code: 'STATE_TAMPERED',
    })
    const saved = structuredClone(record.saved) as { state: { stored: { version: number } } }
    saved.state.stored.version = 3
    await expect(under({ load: async () => ({ version: 3, saved }) })).rejects.toMatchObject({ code: 'STATE_TAMPERED' })
    await expect(under({ load: async () => ({ version: 2, saved: 'nonsense' }) })).rejects.toMatchObject({
      code: 'STATE_INVALID',
    })
    const session = openAdapterSession(machine, { id: 'chat' })
    const plain = session.save()
    await expect(under({ load: async () => ({ version: 2, saved: plain }) })).rejects.toMatchObject({
      code: 'STATE_INVALID',
    })
    const mark = { tenant: 'team', version: 2, expires: Date.now() - 1 }
    const late = session.save(mark)
    await expect(under({ load: async () => ({ version: 2, saved: late }) })).rejects.toMatchObject({
      code: 'STATE_OUTDATED',
    })
  })

  it('[LIB-11] is a session that has ended, where its task has', async () => {
    const { opened } = await world()
    const first = await opened({ consent: () => true })
    await activate(adapterSession(first.session), 'plain')
    await first.session.end()
    await first.close()
    await expect(opened()).rejects.toMatchObject({ code: 'SESSION_ENDED' })
  })

  it('[LIB-11] is nothing once its time to live is over, and each use prolongs that', async () => {
    const { opened, pass, store } = await world()
    const times = { timeToLive: 10 * MINUTE, consent: () => true }
    const first = await opened(times)
    await activate(adapterSession(first.session), 'plain')
    await first.close()
    pass(6 * MINUTE)
    await (await opened({ timeToLive: 20 * MINUTE })).close()
    pass(6 * MINUTE)
    const second = await opened()
    expect(activeNames(second.session)).toEqual(['plain'])
    await second.close()
    pass(60 * 24 * 60 * MINUTE)
    expect(await store.load('chat')).toBeUndefined()
    const third = await opened()
    expect(activeNames(third.session)).toEqual([])
    await third.close()
  })
})

describe('a store that fails', () => {
  it('[LIB-11] lets no request go out, and nothing begin that was approved', async () => {
    let hooks = 0
    const { store, opened } = await world({ scripts: hooksBy(() => ({ ok: ++hooks > 0 })) })
    let isDown = true
    const failing = changed(store, {
      save: (...args) => (isDown ? Promise.reject(new Error('connection refused')) : store.save(...args)),
    })
    const problems: string[] = []
    const stored = await opened({ store: failing, onProblem: (problem) => void problems.push(problem.code) })
    await expect(
      adapterSession(stored.session)
        .preview(call, { asks: true })
        .then(({ waits }) => waits),
    ).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining('connection refused') as string,
    })
    isDown = false
    const request = (await adapterSession(stored.session).preview(call, { asks: true })).waits
    stored.session.answer({ requestId: request!.id, approved: true })
    isDown = true
    expect(code(await carryOut(stored.session))).toBe('CONSENT_DENIED')
    expect(problems).toEqual(['SESSION_NOT_SAVED'])
    await expect(stored.close()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(hooks).toBe(0)
    await (await opened()).close()
  })

  it('[LIB-11] after a save of which the answer was lost goes on, and saves once', async () => {
    const { store, opened } = await world()
    let isCut = true
    const cut = changed(store, {
      async save(...args) {
        await store.save(...args)
        if (isCut) throw new Error('connection reset')
      },
    })
    const stored = await opened({ store: cut, consent: () => true })
    await activate(adapterSession(stored.session), 'plain')
    await expect(stored.save()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(stored.version).toBe(0)
    isCut = false
    await stored.save()
    expect(stored.version).toBe(1)
    await step(adapterSession(stored.session), 'deactivate_skill', {})
    await stored.close()
    expect(stored.version).toBe(2)
  })

  it('[LIB-11] is waited for until `storeTimeout`', async () => {
    const { store, opened } = await world()
    const silent = (): Promise<never> => new Promise(() => {})
    for (const operation of ['acquire', 'load', 'save'] as const) {
      const hanging = changed(store, { [operation]: silent })
      const attempt = async (): Promise<void> => {
        const stored = await opened({ store: hanging, consent: () => true, storeTimeout: 400 })
        await activate(adapterSession(stored.session), 'plain')
        await stored.close()
      }
      await expect(attempt()).rejects.toMatchObject({ code: 'TIMED_OUT' })
    }
    const deaf = await opened({ store: changed(store, { release: silent }), storeTimeout: 400 })
    await deaf.close()
  })

  it('[LIB-11] has a lease of 15 seconds and keeps sessions for 30 days, where the host says nothing', async () => {
    const { store, opened } = await world()
    const seen: unknown[] = []
    const spied = changed(store, {
      acquire: (id, options) => (seen.push(options), store.acquire(id, options)),
      save: (lease, saved, options) => (seen.push(options), store.save(lease, saved, options)),
    })
    const stored = await opened({ store: spied, consent: () => true })
    await activate(adapterSession(stored.session), 'plain')
    await stored.close()
    expect(seen).toEqual([{ duration: 15_000 }, { ifVersion: 0, timeToLive: 30 * 24 * 60 * 60_000 }])
  })

  it('[LIB-11] waits 30 seconds for another process and 10 for the store, where the host says nothing', async () => {
    const { store, opened } = await world()
    const first = await opened()
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    for (const [other, ms, expected] of [
      [store, 30_000, 'SESSION_IN_USE'],
      [changed(store, { acquire: () => new Promise(() => {}) }), 10_000, 'TIMED_OUT'],
    ] as const) {
      let outcome: unknown
      void opened({ store: other, wait: undefined as never }).catch((error: { code: string }) => (outcome = error.code))
      await vi.advanceTimersByTimeAsync(ms - 100)
      expect(outcome).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1_000)
      expect(outcome).toBe(expected)
    }
    await first.close()
  })

  it('[LIB-11] takes no id, and no time, that is none', async () => {
    const { opened } = await world()
    for (const id of ['', 'a\0b', '\uD800', 'x'.repeat(513), 7 as never]) {
      await expect(opened({ id })).rejects.toThrow(typeof id === 'string' ? 'The id of a session is "' : '`id` is 7')
    }
    for (const time of [0, -1, Number.NaN]) {
      await expect(opened({ lease: time })).rejects.toThrow('`lease` is ')
      await expect(opened({ timeToLive: time })).rejects.toThrow('`timeToLive` is ')
      await expect(opened({ storeTimeout: time })).rejects.toThrow('`storeTimeout` is ')
    }
    await expect(opened({ wait: -1 })).rejects.toThrow('`wait` is -1')
    for (const tenant of ['', 'a\0b', '\uDC00', 'é'.repeat(65), 7 as never]) {
      expect(() => memorySessions({ tenant })).toThrow(
        typeof tenant === 'string' ? 'The tenant of a session store is "' : '`tenant` is 7',
      )
    }
  })
})
