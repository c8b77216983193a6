import { retryDelay } from '../deadline.ts'
import type { StorageEngine, TenantListener } from '../engine.ts'
import { meaningOf, STATEMENT_TIMEOUT_MS, type PostgresPool } from './client.ts'

/** Listens to one channel, on one connection of the pool while there is a listener. */
export function postgresNotifications(
  pool: PostgresPool,
  channel: string,
): Required<Pick<StorageEngine, 'watch' | 'close'>> {
  const listeners = new Map<TenantListener, string>()
  /** What ends the connection. */
  let opened: Promise<() => void> | undefined
  let retry: NodeJS.Timeout | undefined

  const open = async (): Promise<() => void> => {
    const client = await pool.connect()
    let isOver = false
    const end = (): void => {
      // The client emits an error and then its end, but it must be released once.
      if (!isOver) client.release(true)
      isOver = true
    }
    const over = (error: unknown): void => {
      if (isOver) return
      end()
      opened = undefined
      if (listeners.size === 0) return
      for (const listener of listeners.keys()) listener.lost(error)
      again(1)
    }
    client.on('error', over)
    client.on('end', () => over(new Error('The connection has ended.')))
    client.on('notification', (message) => {
      const { payload } = message as { readonly payload?: string }
      for (const [listener, tenant] of listeners) if (tenant === payload) listener.changed()
    })
    try {
      await client.query({ text: `LISTEN "${channel}"`, query_timeout: STATEMENT_TIMEOUT_MS })
    } catch (error) {
      end()
      throw error
    }
    return end
  }

  const again = (tries: number): void => {
    retry = setTimeout(() => {
      if (listeners.size === 0) return
      const next = open()
      opened = next
      next.then(
        () => {
          // What was told meanwhile is lost.
          for (const listener of listeners.keys()) listener.changed()
        },
        () => {
          if (opened === next) opened = undefined
          again(tries + 1)
        },
      )
    }, retryDelay(tries))
    retry.unref()
  }

  const closeUnused = async (): Promise<void> => {
    if (listeners.size > 0) return
    clearTimeout(retry)
    const end = await opened?.catch(() => undefined)
    if (listeners.size > 0) return
    opened = undefined
    end?.()
  }
  return {
    async watch(tenant, listener) {
      if (pool.options?.max === 1) throw new TypeError('To watch takes one connection more: give the pool two.')
      listeners.set(listener, tenant)
      const opening = (opened ??= open())
      try {
        await opening
      } catch (error) {
        listeners.delete(listener)
        // Another listener may have begun to open the next one.
        if (opened === opening) opened = undefined
        throw meaningOf(error)
      }
      return async () => {
        if (listeners.delete(listener)) await closeUnused()
      }
    },
    async close() {
      listeners.clear()
      await closeUnused()
    },
  }
}
