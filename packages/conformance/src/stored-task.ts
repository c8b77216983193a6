import {
  isSkillError,
  memorySessions,
  type Session,
  type SessionOptions,
  type SessionStore,
  withStoredSession,
} from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import type { Conversation, TaskSetup } from './driver.ts'

/** Where a task's session is, as JSON. */
export interface StoredTaskPlace {
  readonly store: string
  readonly id: string
}

/** A task whose session is in a store, for the drivers of agents that own their sessions. */
export interface StoredTask extends Pick<Conversation, 'active' | 'end'> {
  readonly sessions: SessionStore
  /** How the agent opens its sessions. */
  readonly session: Omit<SessionOptions, 'id' | 'saved'>
  readonly id: string
  /** What a fresh process needs to find the session again. */
  readonly place: StoredTaskPlace
  /** Runs some work in the session between two runs of the agent. */
  readonly within: <T>(work: (session: Session) => Promise<T>) => Promise<T>
}

/** Each represents another server, which goes on while processes come and go. */
const STORES = new Map<string, SessionStore>()

/**
 * Opens the store of a task.
 * @param place where an earlier conversation has left the session. Default: a new store
 */
export function storedTask(
  {
    repertoire,
    tools,
    session: given,
    sessions: store,
  }: Pick<TaskSetup, 'repertoire' | 'session' | 'sessions' | 'tools'>,
  place: StoredTaskPlace = { store: crypto.randomUUID(), id: given.id ?? crypto.randomUUID() },
): StoredTask {
  // An agent that owns its sessions provides the others itself.
  const { id: _, saved: __, until: ___, hostTools: ____, checkpoint, ...session } = given
  const kept = store ?? STORES.get(place.store) ?? memorySessions()
  STORES.set(place.store, kept)
  const sessions: SessionStore = {
    ...kept,
    async save(...args) {
      await checkpoint?.()
      await kept.save(...args)
    },
  }
  const { id } = place
  const opened: StoredTask['within'] = (work) =>
    withStoredSession(repertoire, { ...session, store: sessions, id }, work)
  return {
    sessions,
    session,
    id,
    place,
    within: (work) =>
      opened(async (own) => {
        // Before a run, the session knows no tool of the host's.
        await adapterSession(own).step({ tools: tools.map(({ name }) => name) })
        return work(own)
      }),
    active: () => unlessEnded([], () => opened(async ({ activeSkills }) => [...activeSkills])),
    end: () => unlessEnded(undefined, () => opened((own) => own.end())),
  }
}

/** A stored session that has ended cannot be opened. */
async function unlessEnded<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isSkillError(error) && error.code === 'SESSION_ENDED') return otherwise
    throw error
  }
}
