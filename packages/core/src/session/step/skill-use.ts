import type { Viewer } from '../../catalog/view.ts'
import type { UsedNames } from '../../disclosure/rank.ts'
import { recentEntries } from '../../recent-entries.ts'

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

const NONE: ReadonlySet<string> = new Set()

/** Creates an empty record of use. It is kept in this process only, and changes nothing but the order of cuts. */
export function createSkillUses(): SkillUses {
  const byAgent = recentEntries<string, UsedNames & Iterable<string>>(MAX_AGENTS)
  const bySession = recentEntries<string, UsedNames>(MAX_SESSIONS)
  const of = (agent: UsingAgent): UsedNames & Iterable<string> => byAgent.get(keyOf(agent)) ?? NONE
  return {
    of,
    open(session, agent) {
      // Ids are the host's: those of two tenants may be the same.
      const key = JSON.stringify([session, keyOf(agent)])
      const before = bySession.get(key) ?? of(agent)
      bySession.set(key, before)
      return {
        before,
        record(name) {
          const used = of(agent)
          // Another set for every new name, and only then: lists are remembered by it.
          const isNew = !used.has(name) && used.size < MAX_NAMES
          byAgent.set(keyOf(agent), isNew ? new Set([...used, name]) : used)
        },
      }
    },
  }
}

function keyOf({ agent, tenant, environment }: UsingAgent): string {
  return JSON.stringify([agent ?? null, tenant ?? null, environment ?? null])
}
