import { SkillError } from '../errors.ts'
import { quote } from '../text/quote.ts'

const MAX_ID_CHARS = 512
const NAMESPACE = /^[\dA-Za-z](?:[\w.-]{0,62}[\dA-Za-z])?$/

/**
 * Checks a session's id: what every store can keep, and tell from every other id.
 * @throws {TypeError} it is empty, too long, or has lone surrogates or NUL
 */
export function checkSessionId(id: unknown): asserts id is string {
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS && id.isWellFormed() && !id.includes('\0'))
    return
  const shown = typeof id === 'string' ? quote(id.slice(0, 80)) : String(id)
  throw new TypeError(
    `The id of a session is ${shown}. Give a text of 1 to ${MAX_ID_CHARS} characters, without NUL and lone surrogates.`,
  )
}

/**
 * Checks a namespace of sessions: no key that is made of it can be read as one of another.
 * @throws {TypeError} it is not 1 to 64 letters, digits, `.`, `_` and `-`, with a letter or digit at both ends
 */
export function checkSessionNamespace(namespace: unknown): asserts namespace is string {
  if (typeof namespace === 'string' && NAMESPACE.test(namespace)) return
  const shown = typeof namespace === 'string' ? quote(namespace.slice(0, 80)) : String(namespace)
  throw new TypeError(
    `The namespace of a session store is ${shown}. Give 1 to 64 letters, digits, ".", "_" and "-", with a letter or a digit at both ends.`,
  )
}

/** Checks a length of time. @throws {TypeError} it is not a number of milliseconds above 0 */
export function checkDuration(name: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER) return
  throw new TypeError(`\`${name}\` is ${String(value)}. Give milliseconds, more than 0.`)
}

/** The lease of a session is not the newest one: nothing was written. For implementations of `SessionStore`. */
export function leaseLost(session: string): SkillError {
  return new SkillError(
    'LEASE_LOST',
    `Nothing was saved of the session ${quote(session)}: its lease has run out, and somebody else has it or has removed the session. Open the session again.`,
  )
}

/** Another version of a session is stored: nothing was written. For implementations of `SessionStore`. */
export function versionConflict(session: string, stored: number, ifVersion: number): SkillError {
  return new SkillError(
    'STORE_CONFLICT',
    `Nothing was saved of the session ${quote(session)}: its version ${stored} is stored, and the change is based on ${ifVersion}. Open the session again.`,
  )
}
