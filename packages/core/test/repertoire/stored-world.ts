import {
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type Session,
  type SessionStore,
  type StoredSession,
  type StoredSessionOptions,
  memorySessions,
  memorySource,
  openRepertoire,
  openStoredSession,
} from '../../src/index.ts'
import { skillText } from '../session/session-world.ts'

const skills = {
  plain: { 'SKILL.md': skillText('plain') },
  hooked: { 'SKILL.md': skillText('hooked', 'hooks:\n  pre: [before.sh]\n'), 'before.sh': 'true' },
}
const sessionSecret = 'a key of the host'

export const openSkills = (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills })], sessionSecret, ...options })

/** Machines over one store, and its clock. */
export async function world(options: Partial<RepertoireOptions> = {}) {
  let time = 1_000
  const store = memorySessions({ tenant: 'team', now: () => time })
  const machine = await openSkills(options)
  const opened = (more: Partial<StoredSessionOptions> = {}, by = machine): Promise<StoredSession> =>
    openStoredSession(by, { store, id: 'chat', wait: 0, ...more })
  return { store, machine, opened, pass: (ms: number) => void (time += ms) }
}

export const MINUTE = 60_000
export const call = { id: 'c1', tool: 'activate_skill', input: { name: 'hooked' } }
export const carryOut = (session: Session, made = call): Promise<Outcome> => session.call(made, () => 'ran')

/** A store of which some operations are others. */
export const changed = (store: SessionStore, changes: Partial<SessionStore>): SessionStore => ({ ...store, ...changes })
