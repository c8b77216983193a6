import { type OptionTable, checkOptions, repertoireKind, required } from '@repertoire/skill-md/internal'
import { adapterSession } from '../session/adapter-session.ts'
import type { AdapterSession } from '../session/session.ts'
import { ADAPTER_SESSION_OPTIONS, SESSION_OPTIONS } from './option-tables.ts'
import type { AdapterSessionOptions, Repertoire } from './options.ts'

/** The options that come from `openAdapterSession`. */
const adapters = new WeakSet<object>()

/** Returns the options that `openSession` takes: those of adapters only where an adapter opens the session. */
export function sessionTableFor(options: object): OptionTable<AdapterSessionOptions> {
  const table: Partial<OptionTable<AdapterSessionOptions>> = adapters.has(options)
    ? ADAPTER_SESSION_OPTIONS
    : SESSION_OPTIONS
  return table as OptionTable<AdapterSessionOptions>
}

/**
 * Opens a session for an adapter: as `repertoire.openSession`, with what only a framework knows, such as the names of the
 * host's tools.
 * @throws {TypeError} an option is not one
 * @throws {SkillError} as `openSession`
 */
export function openAdapterSession(repertoire: Repertoire, options: AdapterSessionOptions = {}): AdapterSession {
  checkOptions('openAdapterSession', { repertoire: required(repertoireKind) }, { repertoire })
  checkOptions('openAdapterSession', ADAPTER_SESSION_OPTIONS, options)
  adapters.add(options)
  return adapterSession(repertoire.openSession(options))
}
