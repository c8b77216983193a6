import { checkOptions, repertoireKind, required } from '@repertoire/skill-md/internal'
import { type AdapterSession, adapterSession } from '../session/adapter-session.ts'
import type { AdapterSessionOptions, Repertoire } from './options.ts'

/**
 * Opens a session for an adapter: as `repertoire.openSession`, with what only a framework knows, such as the names of
 * the host's tools.
 * @throws {TypeError} an option is not one
 * @throws {SkillError} as `openSession`
 */
export function openAdapterSession(repertoire: Repertoire, options: AdapterSessionOptions = {}): AdapterSession {
  checkOptions('openAdapterSession', { repertoire: required(repertoireKind) }, { repertoire })
  return adapterSession(repertoire.openSession(options))
}
