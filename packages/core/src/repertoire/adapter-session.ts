import { checkOptions, readOptions, repertoireKind, required } from '@repertoire/skill-md/internal'
import { type AdapterSession, adapterSession } from '../session/adapter-session.ts'
import { ADAPTER_SESSION_OPTIONS, SESSION_OPTIONS } from './option-tables.ts'
import type { AdapterSessionOptions, Repertoire, SessionOptions } from './options.ts'

/**
 * Marks the options that come from `openAdapterSession`. An adapter may have another copy of this package, and a host may
 * wrap `openSession` and spread its options: both keep the mark.
 */
const brand = Symbol.for('@repertoire/core/AdapterSessionOptions')

interface BrandedOptions extends AdapterSessionOptions {
  readonly [brand]: true
}

/**
 * Reads the options of `openSession`: those of adapters are known only where an adapter opens the session.
 * @throws {TypeError} an option is not one
 */
export function readSessionOptions(options: SessionOptions): AdapterSessionOptions {
  if (!isBranded(options)) return readOptions('openSession', SESSION_OPTIONS, options)
  return readOptions('openSession', ADAPTER_SESSION_OPTIONS, withoutBrand(options))
}

/** Programs without types may pass anything. */
function isBranded(options: unknown): options is BrandedOptions {
  return brand in Object(options)
}

/** The options without the mark, which a host that wraps `openSession` passes on. */
function withoutBrand(options: AdapterSessionOptions): AdapterSessionOptions {
  if (!isBranded(options)) return options
  const { [brand]: _, ...named } = options
  return named
}

/**
 * Opens a session for an adapter: as `repertoire.openSession`, with what only a framework knows, such as the names of the
 * host's tools.
 * @throws {TypeError} an option is not one
 * @throws {SkillError} as `openSession`
 */
export function openAdapterSession(repertoire: Repertoire, options: AdapterSessionOptions = {}): AdapterSession {
  checkOptions('openAdapterSession', { repertoire: required(repertoireKind) }, { repertoire })
  checkOptions('openAdapterSession', ADAPTER_SESSION_OPTIONS, withoutBrand(options))
  const branded: BrandedOptions = { ...options, [brand]: true }
  return adapterSession(repertoire.openSession(branded))
}
