import { memorySource } from '../../src/catalog/memory-source.ts'
import type { SessionStore } from '../../src/ports/session-store.ts'
import type { Outcome } from '../../src/ports/outcome.ts'
import type { RepertoireOptions } from '../../src/repertoire/options.ts'
import { type Repertoire } from '../../src/repertoire/repertoire.ts'
import { openStoredSession } from '../../src/repertoire/stored/open.ts'
import type { Session } from '../../src/session/session.ts'
import { memorySessions } from '../../src/store/memory-sessions.ts'
import { HOST, skillText } from '../session/session-world.ts'
import { openRepertoire } from '../../src/repertoire/open-repertoire.ts'
import type { StoredSession, StoredSessionOptions } from '../../src/repertoire/stored/stored-session.ts'

const skills = {
  plain: { 'SKILL.md': skillText('plain') },
  hooked: { 'SKILL.md': skillText('hooked', 'hooks:\n  pre: [before.sh]\n') },
}
const stateKey = 'a key of the host'

export const openSkills = (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills })], stateKey, ...options })

/** Machines over one store, and its clock. */
export async function world(options: Partial<RepertoireOptions> = {}) {
  let time = 1_000
  const store = memorySessions({ tenant: 'team', now: () => time })
  const machine = await openSkills(options)
  const opened = (more: Partial<StoredSessionOptions> = {}, by = machine): Promise<StoredSession> =>
    openStoredSession(by, { store, id: 'chat', hostTools: HOST, wait: 0, ...more })
  return { store, machine, opened, pass: (ms: number) => void (time += ms) }
}

export const MINUTE = 60_000
export const call = { id: 'c1', tool: 'activate_skill', input: { name: 'hooked' } }
export const carryOut = (session: Session, made = call): Promise<Outcome> => session.call(made, () => 'ran')

/** A store of which some operations are others. */
export const changed = (store: SessionStore, changes: Partial<SessionStore>): SessionStore => ({ ...store, ...changes })
