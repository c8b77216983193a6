import type { StorageEngine, TenantListener } from '../engine.ts'
import { meaningOf, type RedisClient, type RedisSubscriber } from './client.ts'
import type { RedisKeys } from './keys.ts'

/** Listens to the channels of tenants, on a separate connection that is open while there is a listener. */
export function redisNotifications(
  client: RedisClient,
  keys: RedisKeys,
): Required<Pick<StorageEngine, 'watch' | 'close'>> {
  const listeners = new Set<TenantListener>()
  let subscriber: Promise<RedisSubscriber> | undefined
  const open = async (): Promise<RedisSubscriber> => {
    const opened = client.duplicate()
    let isLost = false
    opened.on('ready', () => {
      // What was told meanwhile is lost.
      if (isLost) for (const listener of listeners) listener.changed()
      isLost = false
    })
    opened.on('error', (error: unknown) => {
      // One for each try.
      if (!isLost) for (const listener of listeners) listener.lost(error)
      isLost = true
    })
    await opened.connect()
    return opened
  }
  const closeUnused = async (): Promise<void> => {
    if (listeners.size > 0 || subscriber === undefined) return
    const opened = subscriber
    subscriber = undefined
    await opened.then(
      (each) => each.destroy(),
      () => undefined,
    )
  }
  return {
    async watch(tenant, listener) {
      listeners.add(listener)
      const told = (): void => listener.changed()
      const channel = keys.channel(tenant)
      try {
        subscriber ??= open()
        await (await subscriber).subscribe(channel, told)
      } catch (error) {
        listeners.delete(listener)
        await closeUnused()
        throw meaningOf(error)
      }
      return async () => {
        if (!listeners.delete(listener)) return
        const opened = await subscriber
        await closeUnused()
        if (listeners.size > 0) await opened?.unsubscribe(channel, told)
      }
    },
    async close() {
      listeners.clear()
      await closeUnused()
    },
  }
}
