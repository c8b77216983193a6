import type { Outcome } from '../ports/outcome.ts'
import type { Viewer } from '../ports/viewer.ts'
import type { UsedNames } from '../disclosure/budget.ts'
import { untilAborted } from '../time-limit.ts'
import { RecentEntries } from '../recent-entries.ts'
import type { ActiveSkill, Grant } from './state/state.ts'

/** A call that is about a skill, and the model's message that it is in. */
export interface CallOfMessage {
  /** See `taskOf`. */
  readonly session: string
  readonly message: string
  readonly skill: string
  readonly callId: string
}

interface SharedActivation {
  /** Absent: it went well, or it is a fork or an execution that has been prepared. */
  readonly refused?: Extract<Outcome, { readonly ok: false }>
  /** The skill as it is active now. */
  readonly active?: ActiveSkill | undefined
  readonly grants: readonly Grant[]
}

export type MessageCalls = ReturnType<typeof createMessageCalls>

/** Calls that are remembered. They matter while one message is carried out. */
const MAX_CALLS = 1_000

/**
 * The calls of messages. One for all sessions of a repertoire: a framework may carry each call of a message out in a
 * session of its own, which knows nothing of the others.
 */
export function createMessageCalls() {
  return {
    requests: createResults<boolean>(),
    activations: createResults<SharedActivation>(),
    deactivations: createResults<Outcome>(),
  }
}

function createResults<Result>() {
  const known = new RecentEntries<string, { readonly callId: string; readonly result: Promise<Result> }>(MAX_CALLS)
  return {
    /** Returns the result of another call of the message; undefined: there is none. It rejects if that call throws. */
    find(call: CallOfMessage): Promise<Result> | undefined {
      const other = known.get(keyOfCall(call))
      // The same call once more, after an interrupt, is no other call.
      return other === undefined || other.callId === call.callId ? undefined : other.result
    },
    /** Carries a call out, so that others find its result. A call that throws is forgotten. */
    async lead(call: CallOfMessage, work: () => Promise<Result>): Promise<Result> {
      const key = keyOfCall(call)
      const entry = { callId: call.callId, result: work() }
      known.set(key, entry)
      try {
        return await entry.result
      } catch (error) {
        if (known.get(key) === entry) known.delete(key)
        throw error
      }
    },
  }
}

function keyOfCall({ session, message, skill }: CallOfMessage): string {
  return JSON.stringify([session, message, skill])
}

/**
 * Does work that may ask, after all that was begun before it for the task. Its place is taken at once. A session and
 * its forks are one task, which asks one question at a time.
 * @throws what the work throws; the signal's reason, also while it waits for its turn
 */
export type InTurn = <T>(task: string, work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>

export function createTurns(): InTurn {
  /** By task: settles when all work that has taken its place is done. */
  const queues = new Map<string, Promise<unknown>>()
  return (task, work, signal) => {
    const before = queues.get(task)
    // At once if nothing is before it: calls that need no turn are carried out in their order, too.
    const result = (async () => {
      if (before !== undefined) await untilAborted(before, signal)
      signal?.throwIfAborted()
      return work()
    })()
    // Work that is given up leaves its place to those behind it, and those before it keep theirs.
    const last = Promise.allSettled([before, result])
    queues.set(task, last)
    void last.then(() => {
      if (queues.get(task) === last) queues.delete(task)
    })
    return result
  }
}

const MAX_REPORTS = 10_000

/** Returns what tells whether a session reports a problem for the first time. Shared: frameworks reopen sessions. */
export function createFirstReports(): (session: string, kind: string) => boolean {
  const known = new RecentEntries<string, true>(MAX_REPORTS)
  return (session, kind) => {
    const key = JSON.stringify([session, kind])
    if (known.has(key)) return false
    known.set(key, true)
    return true
  }
}

/** Who uses skills. Tenants do not learn from each other what is used, not even by the order of a list. */
type UsingAgent = Pick<Viewer, 'agent' | 'tenant' | 'environment'>

export type SkillUses = ReturnType<typeof createSkillUses>
export type SkillUse = ReturnType<SkillUses['open']>

/** Agents whose use is remembered, and sessions; the one that was opened longest ago is dropped. */
const MAX_AGENTS = 64
const MAX_SESSIONS = 1_000

/** Names that are remembered of an agent: as many as no list has room for. */
const MAX_NAMES = 1_000

const NONE: ReadonlySet<string> = new Set()

/**
 * What the sessions of a repertoire have used, by agent, tenant and environment. It is kept in this process only, and
 * changes nothing but the order of cuts.
 */
export function createSkillUses() {
  const byAgent = new RecentEntries<string, UsedNames & Iterable<string>>(MAX_AGENTS)
  const bySession = new RecentEntries<string, UsedNames>(MAX_SESSIONS)
  const of = (agent: UsingAgent): UsedNames & Iterable<string> => byAgent.get(keyOfAgent(agent)) ?? NONE
  return {
    /** Returns the names of skills that an agent has used so far. */
    of: (agent: UsingAgent): UsedNames => of(agent),
    open(session: string, agent: UsingAgent) {
      // Ids are the host's: those of two tenants may be the same.
      const key = JSON.stringify([session, keyOfAgent(agent)])
      const before = bySession.get(key) ?? of(agent)
      bySession.set(key, before)
      return {
        /**
         * The names of those used before this session was opened. The same object as long as the session lasts in this
         * process: a list that changed with each activation would cost the prompt cache.
         */
        before,
        record(name: string) {
          const used = of(agent)
          // Another set for every new name, and only then: lists are remembered by it.
          const isNew = !used.has(name) && used.size < MAX_NAMES
          byAgent.set(keyOfAgent(agent), isNew ? new Set([...used, name]) : used)
        },
      }
    },
  }
}

function keyOfAgent({ agent, tenant, environment }: UsingAgent): string {
  return JSON.stringify([agent ?? null, tenant ?? null, environment ?? null])
}
