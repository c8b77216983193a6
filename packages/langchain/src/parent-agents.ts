import { LRUCache } from 'lru-cache'
import type { ParentAgent } from './fork.ts'

/** What calls need from the preceding model call, and a checkpoint cannot store, by session. */
export interface ParentAgents {
  readonly remember: (session: string, model: ParentAgent['model'], tools: ParentAgent['tools']) => void
  readonly of: (session: string) => ParentAgent | undefined
}

/** The number of sessions whose last model call is remembered. */
const MAX_REMEMBERED_SESSIONS = 1_000

/** Creates an empty record. */
export function createParentAgents(): ParentAgents {
  const agents = new LRUCache<string, ParentAgent>({ max: MAX_REMEMBERED_SESSIONS })
  let newest: (ParentAgent & { readonly session: string }) | undefined
  return {
    remember(session, model, tools) {
      // So it is at nearly every step of an agent.
      if (newest?.session === session && newest.model === model && newest.tools === tools) return
      newest = { session, model, tools }
      agents.set(session, newest)
    },
    of: (session) => agents.get(session),
  }
}
