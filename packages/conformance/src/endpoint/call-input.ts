import { readArguments } from '@repertoire/core/adapter'
import { show } from '../failure.ts'
import { isObject, text } from './fields.ts'

/**
 * Returns a call's arguments as a JSON value, for protocols that do not carry them as text. Arguments that are not JSON
 * stay text: a vendor's own models never write them, but weaker models behind the same protocol do. An empty text
 * becomes an empty object, as in every such protocol.
 */
export function callInput(written: string): unknown {
  if (written === '') return {}
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

/**
 * Returns arguments that are sent back as text. Those that a model writes may be invalid JSON, but those that are sent
 * back must be valid: servers of open models parse them for a template, and gateways to other vendors to send an
 * object. Both answer with 400 otherwise.
 *
 * @throws {TypeError} naming the place
 */
export function checkArguments(value: unknown, at: string): string {
  const written = text(value, at)
  if (written.trim() !== '' && isObject(readArguments(written))) return written
  throw new TypeError(
    `${at} is ${show(written, 80)}, which is not a JSON object. Send back what \`argumentsAsObject\` makes of it.`,
  )
}
