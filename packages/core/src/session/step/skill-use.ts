import type { Viewer } from '../../catalog/view.ts'
import type { UsedNames } from '../../disclosure/rank.ts'
import { LRUCache } from 'lru-cache'

/** Which skills a session's agent has used, for the rank of skills in lists without room. */
export interface SkillUse {
  /**
   * The names of those that were used before this session was opened. The same object for as long as the session lasts in
   * this process, however often it is opened: a list that changed with every activation would cost the prompt cache.
   */
  readonly before: UsedNames
  readonly record: (name: string) => void
}

/** Who uses skills. Tenants do not learn from each other what is used, not even by the order of a list. */
type UsingAgent = Pick<Viewer, 'agent' | 'tenant' | 'environment'>

/** What the sessions of a repertoire have used, by agent, tenant and environment. Shared by all of them. */
export interface SkillUses {
  readonly open: (session: string, agent: UsingAgent) => SkillUse
  /** The names of skills that this agent has used so far. */
  readonly of: (agent: UsingAgent) => UsedNames
}

/** Agents whose use is remembered, and sessions; the one that was opened longest ago is dropped. */
const MAX_AGENTS = 64
const MAX_SESSIONS = 1_000

/** Names that are remembered of an agent: as many as no list has room for. */
const MAX_NAMES = 1_000

const NONE: UsedNames = new Set()

/** The names that an agent has used, each with the number of those before it. They are only ever added to. */
type Places = Map<string, number>

/** The first names of a growing table: what was used up to a moment, without a copy of all names at each new one. */
class FirstNames implements UsedNames {
  readonly #places: ReadonlyMap<string, number>
  readonly size: number

  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places
    this.size = places.size
  }

  has(name: string): boolean {
    return (this.#places.get(name) ?? this.size) < this.size
  }
}

/** Creates an empty record of use. It is kept in this process only, and changes nothing but the order of cuts. */
export function createSkillUses(): SkillUses {
  const byAgent = new LRUCache<string, { readonly places: Places; readonly names: UsedNames }>({ max: MAX_AGENTS })
  const bySession = new LRUCache<string, UsedNames>({ max: MAX_SESSIONS })
  let newest: { readonly session: string; readonly agent: UsingAgent; readonly before: UsedNames } | undefined
  const of = (agent: UsingAgent): UsedNames => byAgent.get(keyOf(agent))?.names ?? NONE

  function beforeOf(session: string, agent: UsingAgent): UsedNames {
    // A framework opens the same session for every call.
    if (newest?.session !== session || !isSameAgent(newest.agent, agent)) {
      const key = keyOfSession(session, agent)
      const before = bySession.get(key) ?? of(agent)
      bySession.set(key, before)
      newest = { session, agent, before }
    }
    return newest.before
  }

  return {
    of,
    open(session, agent) {
      const before = beforeOf(session, agent)
      return {
        before,
        record(name) {
          const key = keyOf(agent)
          const used = byAgent.get(key) ?? { places: new Map<string, number>(), names: NONE }
          // Other names for every new one, and only then: lists are remembered by them.
          const isNew = !used.places.has(name) && used.places.size < MAX_NAMES
          if (isNew) used.places.set(name, used.places.size)
          const next = isNew ? { ...used, names: new FirstNames(used.places) } : used
          byAgent.set(key, next)
        },
      }
    },
  }
}

function isSameAgent(one: UsingAgent, other: UsingAgent): boolean {
  return one.agent === other.agent && one.tenant === other.tenant && one.environment === other.environment
}

/** Ids are the host's: those of two tenants may be the same. */
function keyOfSession(session: string, agent: UsingAgent): string {
  return JSON.stringify([session, keyOf(agent)])
}

function keyOf({ agent, tenant, environment }: UsingAgent): string {
  return JSON.stringify([agent ?? null, tenant ?? null, environment ?? null])
}
