import { redactText, redactValue } from './redact.ts'

/** Digests and times: they hold no secret, and each is another one, so that masking them would take long. */
const HARMLESS = /^(?:[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/

/** A home folder at the beginning of a path, or inside a text: the name of its user is nobody else's business. */
const HOME =
  /(?:\/home\/|\/Users\/|\b[A-Za-z]:(?:\\\\?|\/)Users(?:\\\\?|\/))[^\s/\\"'`:,;<>|()[\]{}]+|\/root(?=[/\s"'`:,;]|$)/g

/** How many masked texts are remembered: names and rules come again in every event. */
const MAX_REMEMBERED = 10_000

const remembered = new Map<string, string>()

/**
 * Returns an event, or a text, as a file may hold it that is passed on. An audit has taken the secrets of known shapes out
 * already; a log of another origin may not have. Home folders become `~`.
 */
export function maskForSharing(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(maskForSharing)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      maskText(name),
      name === 'input' ? redactValue(item, maskText) : maskForSharing(item),
    ]),
  )
}

function maskText(text: string): string {
  if (HARMLESS.test(text)) return text
  const known = remembered.get(text)
  if (known !== undefined) return known
  const masked = redactText(text).replaceAll(HOME, '~')
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, masked)
  return masked
}
