import { isSecretName, redactText, redactValue, REDACTED, withoutSecrets } from './redact.ts'

/** Digests and times: they hold no secret, and each is another one, so that masking them would take long. */
const HARMLESS = /^(?:[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/

/** What stands between the folders of a path: also escaped, doubled, or encoded as in an address. */
const SEPARATOR = String.raw`(?:[\\/]|%2[Ff]|%5[Cc]){1,4}`

/** A home folder at the beginning of a path, or inside a text: the user's name is private. */
const HOME = new RegExp(
  String.raw`(?:(?:\b[A-Za-z](?::|%3[Aa])|[\\/][a-z])${SEPARATOR}[Uu][Ss][Ee][Rr][Ss]|${SEPARATOR}(?:home|Users))${SEPARATOR}(?:(?!%2[Ff]|%5[Cc])[^\s/\\"'${'`'}:,;<>|()[\]{}])+|${SEPARATOR}root(?![\w.-])`,
  'g',
)

/** As long as the longest text of an audit: a system prompt. */
const MAX_TEXT_CHARS = 32_000

/** How many masked texts are remembered: names and rules come again in every event. */
const MAX_REMEMBERED = 10_000

const remembered = new Map<string, string>()

/**
 * Returns an event, or a text, as a file may hold it that is passed on. An audit has taken the secrets of known shapes
 * out already; a log of another origin may not have. Home folders become `~`.
 */
export function maskForSharing(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(maskForSharing)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === 'input') return [name, redactValue(item, maskText)]
      return [maskText(name), isSecretName(name) && typeof item === 'string' ? REDACTED : maskForSharing(item)]
    }),
  )
}

/** Returns a text without secrets of known shapes and without home folders, and otherwise unchanged. */
export function maskWhole(text: string): string {
  return withoutSecrets(text).replaceAll(HOME, '~')
}

function maskText(text: string): string {
  if (HARMLESS.test(text)) return text
  const known = remembered.get(text)
  if (known !== undefined) return known
  const masked = redactText(text, MAX_TEXT_CHARS).replaceAll(HOME, '~')
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, masked)
  return masked
}
