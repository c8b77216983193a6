import { isSkillError, type SessionStore } from '@repertoire/core'

/** What a worker knows of the sessions it has saved. */
export interface SessionReport {
  /** By session: the versions that were acknowledged. */
  readonly versions: Readonly<Record<string, readonly number[]>>
  readonly tokens: Readonly<Record<string, readonly number[]>>
  readonly faults: readonly string[]
  readonly saves: number
  readonly errors: Readonly<Record<string, number>>
}

const SESSIONS = ['one', 'two', 'three']
const LEASE_MS = 1_500
const TIME_TO_LIVE_MS = 3_600_000
const KNOWN: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'LEASE_LOST', 'STORE_CONFLICT'])

/**
 * Counts in sessions under leases. What is stored is the count, so that a save that comes too late, or is lost, is seen
 * by whoever loads it next.
 * @param newest the newest acknowledged version of each session, of all workers
 */
export async function workInSessions(
  store: SessionStore,
  newest: Map<string, number>,
  goesOn: () => boolean,
): Promise<SessionReport> {
  const versions: Record<string, number[]> = {}
  const tokens: Record<string, number[]> = {}
  const errors: Record<string, number> = {}
  const faults: string[] = []
  let saves = 0
  for (let round = 0; goesOn(); round++) {
    const session = SESSIONS[round % SESSIONS.length]!
    try {
      const lease = await store.acquire(session, { duration: LEASE_MS })
      if (lease === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        continue
      }
      ;(tokens[session] ??= []).push(lease.token)
      const known = newest.get(session) ?? 0
      const { version = 0, saved } = (await store.load(session)) ?? {}
      if (version < known) faults.push(`${session} is at ${version}, and ${known} was acknowledged.`)
      if (version > 0 && saved !== version) faults.push(`${session} holds ${String(saved)} as version ${version}.`)
      if (!(await store.renew(lease, { duration: LEASE_MS }))) continue
      await store.save(lease, version + 1, { ifVersion: version, timeToLive: TIME_TO_LIVE_MS })
      newest.set(session, Math.max(newest.get(session) ?? 0, version + 1))
      ;(versions[session] ??= []).push(version + 1)
      saves++
      await store.release(lease)
    } catch (error) {
      const code = isSkillError(error) ? error.code : ''
      errors[code] = (errors[code] ?? 0) + 1
      if (!KNOWN.has(code)) faults.push(`${code || 'no code'}: ${String(error)}`)
      // As a worker that comes back to its queue.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return { versions, tokens, faults, saves, errors }
}

/** What is wrong with what the workers know: a version that two have saved, a token that two have had. */
export function sessionFaults(reports: readonly SessionReport[]): readonly string[] {
  const faults = reports.flatMap((report) => report.faults)
  for (const session of SESSIONS) {
    for (const what of ['versions', 'tokens'] as const) {
      const all = reports.flatMap((report) => report[what][session] ?? [])
      if (new Set(all).size < all.length) faults.push(`Two workers had the same of the ${what} of ${session}.`)
    }
    for (const { tokens } of reports) {
      const had = tokens[session] ?? []
      if (had.some((token, at) => at > 0 && token <= had[at - 1]!)) faults.push(`A token of ${session} is not larger.`)
    }
  }
  return faults
}
