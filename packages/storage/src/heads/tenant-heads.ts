import type { SkillError } from '@repertoire/core'
import type { EngineCall } from '../deadline.ts'
import type { HeadChanges, StorageEngine } from '../engine.ts'
import { nameOfPart } from '../namespace.ts'
import { headOrError, type Head } from './head.ts'

/** The heads of one tenant by name. One that cannot be read is the error that it gives. */
export type TenantHeads = ReadonlyMap<string, Head | SkillError>

/**
 * Returns what asks for the heads that have changed, and returns all.
 * @param call makes a call of the engine
 */
export function tenantHeads(engine: StorageEngine, tenant: string, call: EngineCall): () => Promise<TenantHeads> {
  /** Never changed: who goes through it is not disturbed by the next answer. */
  let known: TenantHeads = new Map()
  let cursor: unknown
  const ask = async (): Promise<TenantHeads> => {
    let from = cursor
    do {
      const changes = await call(() => engine.changes(tenant, from))
      known = changed(known, changes)
      cursor = changes.cursor
      from = changes.rest
    } while (from !== undefined)
    return known
  }
  let running: Promise<unknown> | undefined
  let waiting: Promise<TenantHeads> | undefined
  const start = (): Promise<TenantHeads> => {
    waiting = undefined
    const asked = ask()
    running = asked
    const end = (): void => {
      if (running === asked) running = undefined
    }
    asked.then(end, end)
    return asked
  }
  // An answer on its way may be older than the question of who comes later: they share the next one.
  return () => (running === undefined ? start() : (waiting ??= running.then(start, start)))
}

function changed(known: TenantHeads, { heads, isWhole }: HeadChanges): TenantHeads {
  if (heads.size === 0 && !isWhole) return known
  const next = new Map(isWhole ? [] : known)
  for (const [part, head] of heads) {
    const name = nameOfPart(part)
    if (name === undefined) continue
    if (head === null) next.delete(name)
    else next.set(name, headOrError(name, head))
  }
  return next
}
