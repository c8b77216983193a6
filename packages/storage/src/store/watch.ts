import { setTimeout as delay } from 'node:timers/promises'
import type { SourceListener, SourceWatch } from '@repertoire/core'
import { inTime } from '@repertoire/core/stores'
import { retryDelay } from '../deadline.ts'
import { ConnectionLostError } from '../engine.ts'
import type { TenantContext } from './tenant.ts'

/** How long the end of a watch is waited for. */
const CLOSE_TIMEOUT_MS = 2_000

/** Ends a watch at the engine. */
type End = () => Promise<void>

/**
 * Watches, and goes on trying where the engine cannot be reached yet, until it is there or the watch is closed: what was
 * missed is told as one change.
 */
export async function watchTenant(tenant: TenantContext, listener: SourceListener): Promise<SourceWatch> {
  const closing = new AbortController()
  const report = (message: string, hint: string): void => {
    if (closing.signal.aborted) return
    listener.diagnostic({ code: 'WATCH_FAILED', severity: 'warning', path: tenant.id, message, hint })
  }
  let isLost = false
  const lost = (error: unknown): void => {
    if (isLost) return
    isLost = true
    const message = `The connection that tells of changes is lost (${reasonOf(error)}), and is tried again.`
    report(message, 'Until it is back, a change is seen at the next reload.')
  }
  const changed = (): void => {
    isLost = false
    if (!closing.signal.aborted) listener.changed()
  }
  let isRefused = false
  const start = async (): Promise<End> => {
    try {
      return await tenant.engine.watch!(tenant.tenant, { changed, lost })
    } catch (error) {
      isRefused = !(error instanceof ConnectionLostError)
      throw error
    }
  }

  /** @param begun a try that may still succeed */
  const goOn = async (begun: Promise<End>): Promise<End> => {
    let current = begun
    for (let tries = 1; ; tries++) {
      try {
        const end = await current
        changed()
        return end
      } catch (error) {
        if (isRefused) {
          report(
            `Changes are not told: ${reasonOf(error)}`,
            'A change is seen at the next reload. Watch again when it is mended.',
          )
          return nothing
        }
        const { signal } = closing
        await delay(retryDelay(tries), undefined, { signal, ref: false }).catch(nothing)
        if (signal.aborted) return nothing
        current = start()
      }
    }
  }
  let last: Promise<End> | undefined
  let ended: Promise<End>
  try {
    ended = Promise.resolve(await tenant.call(() => (last = start())))
  } catch (error) {
    if (!isRefused) lost(error)
    ended = goOn(last ?? start())
  }
  return {
    async close() {
      closing.abort()
      const end = ended.then((run) => run())
      await inTime(end, CLOSE_TIMEOUT_MS, 'The end of a watch').catch(nothing)
    },
  }
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
