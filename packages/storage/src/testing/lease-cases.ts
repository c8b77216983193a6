import assert from 'node:assert/strict'
import { leased, leasedAfter, MINUTE_MS, put, refuses, type SessionStoreCase } from './session-case.ts'

/** What leases promise. */
export const leaseCases: readonly SessionStoreCase[] = [
  {
    title: '[LIB-11] gives a lease to one at a time, and to the next once it is given back, with a larger token',
    async run({ open }) {
      const [one, two] = [await open('team'), await open('team')]
      const first = await leased(one, 'chat')
      assert.equal(first.session, 'chat')
      assert.equal(await two.acquire('chat', { duration: MINUTE_MS }), undefined)
      assert.equal(await one.acquire('chat', { duration: MINUTE_MS }), undefined)
      await leased(two, 'other')
      await one.release(first)
      const second = await leased(two, 'chat')
      assert.ok(second.token > first.token && Number.isSafeInteger(second.token))
    },
  },
  {
    title: '[LIB-11] gives a lease that several ask for at once to one of them',
    async run({ open }) {
      const stores = await Promise.all(Array.from({ length: 8 }, async () => open('team')))
      const tokens: number[] = []
      for (let round = 0; round < 4; round++) {
        const leases = await Promise.all(stores.map((store) => store.acquire('chat', { duration: MINUTE_MS })))
        const [lease, ...others] = leases.filter((each) => each !== undefined)
        assert.ok(lease !== undefined && others.length === 0)
        tokens.push(lease.token)
        await stores[round]!.release(lease)
      }
      assert.deepEqual(
        tokens,
        [...new Set(tokens)].toSorted((a, b) => a - b),
      )
    },
  },
  {
    title: '[LIB-11] refuses everything of a lease that has run out, once somebody else has it',
    async run({ open }) {
      const [one, two] = [await open('team'), await open('team')]
      const stale = await leased(one, 'chat', 1)
      await put(one, stale, 'first', 0)
      const fresh = await leasedAfter(two, 'chat')
      assert.ok(fresh.token > stale.token)
      await refuses(put(one, stale, 'stale', 1), 'LEASE_LOST')
      await refuses(one.delete(stale), 'LEASE_LOST')
      assert.equal(await one.renew(stale, { duration: MINUTE_MS }), false)
      await one.release(stale)
      assert.equal(await one.acquire('chat', { duration: MINUTE_MS }), undefined)
      await put(two, fresh, 'second', 1)
      assert.deepEqual(await one.load('chat'), { version: 2, saved: 'second' })
    },
  },
  {
    title: '[LIB-11] refuses the save of a lease that was given back, once somebody else has had it',
    async run({ open }) {
      const store = await open('team')
      const stale = await leased(store, 'chat')
      await put(store, stale, 'first', 0)
      await store.release(stale)
      await store.release(await leased(store, 'chat'))
      await refuses(put(store, stale, 'stale', 1), 'LEASE_LOST')
      assert.equal(await store.renew(stale, { duration: MINUTE_MS }), false)
    },
  },
  {
    title: '[LIB-11] lets a lease last once it is renewed, also one that has run out and that nobody has taken',
    async run({ open }) {
      const [one, two] = [await open('team'), await open('team')]
      const kept = await leased(one, 'chat', 5_000)
      assert.equal(await one.renew(kept, { duration: MINUTE_MS }), true)
      assert.equal(await two.acquire('chat', { duration: MINUTE_MS }), undefined)
      const late = await leased(one, 'late', 1)
      // It has run out for certain: another one of the same length has.
      await leased(one, 'other', 2)
      await leasedAfter(two, 'other')
      assert.equal(await one.renew(late, { duration: MINUTE_MS }), true)
      assert.equal(await two.acquire('late', { duration: MINUTE_MS }), undefined)
      await put(one, late, 'kept', 0)
    },
  },
]
