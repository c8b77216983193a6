import { setTimeout as delay } from 'node:timers/promises'
import type { SourceListener, SourceWatch } from '@repertoire/core'
import { currentSkills, type TenantContext } from './tenant.ts'

/** Looks again and again whether a tenant's record is another one, also while the engine cannot be reached. */
export async function watchTenant(
  tenant: TenantContext,
  intervalMs: number,
  listener: SourceListener,
): Promise<SourceWatch> {
  const closing = new AbortController()
  const { signal } = closing
  let seen: string | undefined
  let isLost = false
  const look = async (isFirst: boolean): Promise<void> => {
    try {
      const { token } = await currentSkills(tenant)
      const isChanged = isLost || (!isFirst && token !== seen)
      seen = token
      isLost = false
      if (isChanged && !signal.aborted) listener.changed()
    } catch (error) {
      if (isLost || signal.aborted) return
      isLost = true
      const reason = error instanceof Error ? error.message : String(error)
      listener.diagnostic({
        code: 'WATCH_FAILED',
        severity: 'warning',
        path: tenant.id,
        message: `Whether the skills have changed is not known: ${reason}`,
        hint: `It is asked again every ${intervalMs} ms. Changes are seen then, or at the next reload.`,
      })
    }
  }
  await look(true)
  void (async () => {
    while (!signal.aborted) {
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await look(false)
    }
  })()
  return {
    close() {
      closing.abort()
      return Promise.resolve()
    },
  }
}
