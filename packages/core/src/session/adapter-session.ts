import { checkOptions, required, sessionKind } from '@repertoire/skill-md/internal'
import type { AdapterSession, Session } from './session.ts'

/** What people who use skills see of a session, in an editor and where it is printed. */
const MEMBERS: readonly (keyof Session)[] = [
  'id',
  'activeSkills',
  'activate',
  'call',
  'runScript',
  'answer',
  'save',
  'end',
]

/** Shows of a session only what people use: the rest stays there for adapters, and is not listed. */
export function asSession(session: AdapterSession): AdapterSession {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(session)))
    if (!(MEMBERS as readonly string[]).includes(name))
      Object.defineProperty(session, name, { ...property, enumerable: false })
  return session
}

/**
 * Returns a session with what only adapters need: its state, turns, steps, consent in two phases and the rest of
 * `AdapterSession`. It is the same object.
 * @throws {TypeError} it is not a session
 */
export function adapterSession(session: Session): AdapterSession {
  checkOptions('adapterSession', { session: required(sessionKind) }, { session })
  return session as AdapterSession
}
