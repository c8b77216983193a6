import assert from 'node:assert/strict'
import { leased, MINUTE_MS, put, refuses, type SessionStoreCase } from './session-case.ts'

/** Values that an engine may keep otherwise than they are. */
const VALUES: readonly unknown[] = [
  { state: { id: 'chat', active: [], ended: false }, seal: 'ab' },
  { z: 1, a: [null, true, 1.5e-7], ä: '\u0000 \u2028 \uD83D\uDE00 "\\', '': '' },
  JSON.parse('{"__proto__":{"x":1},"toString":"y"}'),
  'x'.repeat(300_000),
]

/** Names that a store might confuse with each other or with its own keys. */
const NAMES = [
  'a',
  'A',
  'a ',
  'a:b',
  'b',
  '{a}',
  'a}:session-head:b',
  'tokens',
  '*',
  '%',
  '_',
  "'",
  '__proto__',
  '..',
  '/a',
  'é',
  'e\u0301',
  '日本',
]

/** What a store keeps. */
export const recordCases: readonly SessionStoreCase[] = [
  {
    title: '[LIB-11] keeps what is saved, exactly, and counts the saves of each session',
    async run({ open }) {
      const store = await open('team')
      assert.equal(await store.load('chat'), undefined)
      const lease = await leased(store, 'chat')
      assert.equal(await store.load('chat'), undefined)
      for (const [version, value] of VALUES.entries()) {
        await put(store, lease, value, version)
        const found = await (await open('team')).load('chat')
        assert.equal(found?.version, version + 1)
        assert.equal(JSON.stringify(found.saved), JSON.stringify(value))
      }
      assert.equal(await store.load('other'), undefined)
    },
  },
  {
    title: '[LIB-11] refuses a save that is based on another version than the one that is stored, and writes nothing',
    async run({ open }) {
      const store = await open('team')
      const lease = await leased(store, 'chat')
      await refuses(put(store, lease, 'x', 1), 'STORE_CONFLICT')
      assert.equal(await store.load('chat'), undefined)
      await put(store, lease, 'one', 0)
      await put(store, lease, 'two', 1)
      for (const stale of [0, 1, 3]) await refuses(put(store, lease, 'stale', stale), 'STORE_CONFLICT')
      assert.deepEqual(await store.load('chat'), { version: 2, saved: 'two' })
    },
  },
  {
    title: '[LIB-11] lets one of several saves that are based on the same version win, and refuses the others',
    async run({ open }) {
      const stores = await Promise.all(Array.from({ length: 4 }, async () => open('team')))
      const lease = await leased(stores[0]!, 'chat')
      for (let version = 0; version < 5; version++) {
        const saves = stores.map((store, index) => put(store, lease, `${version}.${index}`, version))
        const outcomes = await Promise.allSettled(saves)
        const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
        assert.equal(winners.length, 1)
        for (const save of saves.filter((_, index) => index !== winners[0])) await refuses(save, 'STORE_CONFLICT')
        const found = await stores[0]!.load('chat')
        assert.deepEqual(found, { version: version + 1, saved: `${version}.${winners[0]}` })
      }
    },
  },
  {
    title: '[LIB-11] has nothing of a session once its time to live is over, and begins it anew',
    async run({ open }) {
      const store = await open('team')
      const lease = await leased(store, 'chat')
      await store.save(lease, 'short', { ifVersion: 0, timeToLive: 5 })
      await store.release(lease)
      while ((await store.load('chat')) !== undefined);
      const next = await leased(store, 'chat')
      assert.ok(next.token > lease.token)
      await refuses(put(store, next, 'x', 1), 'STORE_CONFLICT')
      await put(store, next, 'new', 0)
      await refuses(put(store, lease, 'old', 1), 'LEASE_LOST')
      assert.deepEqual(await store.load('chat'), { version: 1, saved: 'new' })
    },
  },
  {
    title: '[LIB-11] removes a session with its lease, and no other',
    async run({ open }) {
      const store = await open('team')
      const [lease, other] = [await leased(store, 'chat'), await leased(store, 'other')]
      await put(store, lease, 'one', 0)
      await put(store, other, 'two', 0)
      await store.delete(lease)
      assert.equal(await store.load('chat'), undefined)
      await refuses(put(store, lease, 'back', 1), 'LEASE_LOST')
      await refuses(put(store, lease, 'back', 0), 'LEASE_LOST')
      await refuses(store.delete(lease), 'LEASE_LOST')
      const next = await leased(store, 'chat')
      assert.ok(next.token > lease.token)
      await store.delete(next)
      assert.deepEqual(await store.load('other'), { version: 1, saved: 'two' })
    },
  },
  {
    title: '[LIB-11] keeps the sessions of each tenant apart, whatever tenants and sessions are called',
    async run({ open }) {
      const stores = await Promise.all(NAMES.map(async (tenant) => open(tenant)))
      // Each tenant has a session named after itself, and one with a name that all share.
      for (const store of stores) {
        for (const id of new Set([store.tenant, 'a'])) await put(store, await leased(store, id), [store.tenant, id], 0)
      }
      for (const [index, store] of stores.entries()) {
        const own = NAMES[index]!
        assert.equal(store.tenant, own)
        for (const id of NAMES) {
          const expected = id === own || id === 'a' ? { version: 1, saved: [own, id] } : undefined
          assert.deepEqual(await store.load(id), expected)
        }
      }
    },
  },
  {
    title: '[LIB-11] takes no id that an engine could keep otherwise, and no time that is none',
    async run({ open }) {
      const store = await open('team')
      for (const id of ['', 'a\0b', '\uD800', 'x'.repeat(513), 7 as never]) {
        await assert.rejects(async () => store.acquire(id, { duration: MINUTE_MS }), TypeError)
        await assert.rejects(async () => store.load(id), TypeError)
      }
      const lease = await leased(store, 'x'.repeat(512))
      for (const time of [0, -1, Number.NaN, Infinity, 1e13, '5' as never]) {
        await assert.rejects(async () => store.acquire('chat', { duration: time }), TypeError)
        await assert.rejects(async () => store.renew(lease, { duration: time }), TypeError)
        await assert.rejects(async () => store.save(lease, 'x', { ifVersion: 0, timeToLive: time }), TypeError)
      }
      await put(store, lease, 'long', 0)
      for (const tenant of ['', 'a\0b', '\uDC00', 'é'.repeat(65)]) {
        await assert.rejects(async () => open(tenant), TypeError)
      }
    },
  },
]
