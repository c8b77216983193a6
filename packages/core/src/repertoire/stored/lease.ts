import { SkillError, MAX_TIMER_MS, quote } from '@repertoire/skill-md/internal'
import type { SessionLease, SessionStore } from '../../ports/session-store.ts'
import { leaseLost } from '../../store/memory-sessions.ts'
import { ABORTED, inTime, waitFor } from '../../time-limit.ts'

/** How leases are taken and kept. Times are in milliseconds. */
export interface LeaseSettings {
  readonly store: SessionStore
  readonly duration: number
  readonly timeout: number
}

const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 400

/**
 * Takes the lease of a session, and waits while another process has it.
 * @throws {SkillError} SESSION_IN_USE, TIMED_OUT, STORAGE_UNAVAILABLE
 * @throws the signal's reason
 */
export async function takeLease(
  { store, duration, timeout }: LeaseSettings,
  id: string,
  wait: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly lease: SessionLease; readonly since: number }> {
  const begin = performance.now()
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    signal?.throwIfAborted()
    const since = performance.now()
    const lease = await inTime(store.acquire(id, { duration }), timeout, 'The session store')
    if (lease !== undefined) return { lease, since }
    if (performance.now() - begin >= wait) {
      const message = `Another process works on the session ${quote(id)}, and has not ended within ${wait} ms. Try again later, or give \`wait\` more time.`
      throw new SkillError('SESSION_IN_USE', message)
    }
    // Never in step with others who wait for the same.
    const waited = await waitFor(new Promise<void>(() => {}), pause * (0.5 + Math.random()), signal)
    if (waited === ABORTED) signal?.throwIfAborted()
  }
}

/** A lease that is renewed until it is stopped or lost. */
export type KeptLease = ReturnType<typeof keepLease>

/**
 * Keeps a lease. It is lost once the store says so, and also once it may have run out since no renewal was answered.
 * @param since when it was asked for, by `performance.now()`
 * @param onLost called once
 */
export function keepLease(
  { store, duration, timeout }: LeaseSettings,
  { lease, since }: { readonly lease: SessionLease; readonly since: number },
  onLost: (error: SkillError) => void,
) {
  let confirmed = since
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Told by a save that was refused: it is lost. */
  function lose(): SkillError {
    const error = leaseLost(lease.session)
    if (!isOver) {
      stop()
      onLost(error)
    }
    return error
  }

  /** Renews it no longer. */
  function stop(): void {
    isOver = true
    clearTimeout(timer)
  }

  /** Renews the lease now. @throws {SkillError} LEASE_LOST: another process has it; TIMED_OUT, STORAGE_UNAVAILABLE */
  async function confirm(): Promise<void> {
    const asked = performance.now()
    if (!(await inTime(store.renew(lease, { duration }), timeout, 'The session store'))) throw lose()
    confirmed = Math.max(confirmed, asked)
  }

  async function renew(): Promise<void> {
    const left = confirmed + duration - performance.now()
    try {
      // An answer that comes too late is none.
      if (left > 0) await waitFor(confirm(), left)
    } catch {
      // The store may be back before the lease has run out.
    }
    if (isOver) return
    if (performance.now() - confirmed >= duration) lose()
    else schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => void renew(), Math.min(duration / 3, MAX_TIMER_MS))
    // A lease does not keep a process alive. Only Node has timers that can be told.
    ;(timer as { unref?: () => void }).unref?.()
  }

  schedule()
  return { confirm, lose, stop }
}
