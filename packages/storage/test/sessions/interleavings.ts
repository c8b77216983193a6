import process from 'node:process'
import { isSkillError, type SessionLease, type SessionStore } from '@repertoire/core'
import * as fc from 'fast-check'
import { expect } from 'vitest'

type Act = 'acquire' | 'renew' | 'release' | 'load' | 'save' | 'stale save' | 'delete' | 'wait'

const DURATION_MS = 60_000
const TIME_TO_LIVE_MS = 150_000

/** What a store must be like, from outside. */
interface Model {
  token: number
  leasedUntil: number
  version: number
  saved: unknown
  expires: number
}

const EMPTY: Readonly<Model> = { token: 0, leasedUntil: 0, version: 0, saved: undefined, expires: 0 }

/**
 * Plays what two machines do with one session, in random order, on a store and on a model, and compares every outcome.
 * A machine goes on with a lease that it has lost, as one does that was stopped.
 * @param open opens an empty store; time passes only by its clock, so that of a server nothing runs out
 */
export async function keepsToModel(
  most: number,
  open: (now: () => number) => SessionStore | Promise<SessionStore>,
): Promise<void> {
  const act = fc.constantFrom<Act>(
    'acquire',
    'renew',
    'release',
    'load',
    'save',
    'save',
    'stale save',
    'delete',
    'wait',
  )
  const plays = fc.array(fc.tuple(fc.nat(1), act), { minLength: 4, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(plays, async (play) => {
      let time = 1_000
      let asked = false
      const store = await open(() => {
        asked = true
        return time
      })
      let model: Model = { ...EMPTY }
      const leases: (SessionLease | undefined)[] = [undefined, undefined]
      for (const [index, [machine, what]] of play.entries()) {
        // Where the clock is not ours, nothing runs out.
        if (what === 'wait') {
          if (asked) time += 50_000
          continue
        }
        const lease = leases[machine]
        const isHeld = lease !== undefined && lease.token === model.token && model.token > 0
        const visible = model.version > 0 && model.expires > time
        if (what === 'acquire') {
          const taken = await store.acquire('chat', { duration: DURATION_MS })
          expect(taken !== undefined).toBe(model.leasedUntil <= time)
          if (taken === undefined) continue
          for (const other of leases) if (other !== undefined) expect(taken.token).toBeGreaterThan(other.token)
          leases[machine] = taken
          model = { ...(model.expires > time ? model : EMPTY), token: taken.token, leasedUntil: time + DURATION_MS }
        } else if (what === 'load') {
          const found = await store.load('chat')
          expect(found).toEqual(visible ? { version: model.version, saved: model.saved } : undefined)
        } else if (lease === undefined) {
          continue
        } else if (what === 'renew') {
          expect(await store.renew(lease, { duration: DURATION_MS })).toBe(isHeld)
          if (isHeld) model.leasedUntil = time + DURATION_MS
        } else if (what === 'release') {
          await store.release(lease)
          if (isHeld) model.leasedUntil = 0
        } else if (what === 'delete') {
          expect(await outcomeOf(store.delete(lease))).toBe(isHeld ? 'done' : 'LEASE_LOST')
          if (isHeld) model = { ...EMPTY }
        } else {
          const ifVersion = what === 'save' ? model.version : model.version + 1
          const options = { ifVersion, timeToLive: TIME_TO_LIVE_MS }
          const expected = !isHeld ? 'LEASE_LOST' : what === 'save' ? 'done' : 'STORE_CONFLICT'
          expect(await outcomeOf(store.save(lease, { index }, options))).toBe(expected)
          if (expected === 'done') {
            model = { ...model, version: ifVersion + 1, saved: { index }, expires: time + TIME_TO_LIVE_MS }
          }
        }
      }
    }),
    // Where people wait for the tests, a quarter.
    { numRuns: process.env['CI'] === undefined ? Math.ceil(most / 4) : most },
  )
}

async function outcomeOf(done: Promise<unknown>): Promise<string> {
  try {
    await done
    return 'done'
  } catch (error) {
    if (!isSkillError(error)) throw error
    return error.code
  }
}
