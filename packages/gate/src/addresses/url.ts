import { unicodeExpression } from '@repertoire/skill-md/internal'
import { MAX_URL_CHARS, isLongerThan } from '../limits.ts'

/** Two slashes and a host. The WHATWG URL standard accepts less than that, and other readers differ. */
const AUTHORITY = /^https?:\/\/([^/?#]+)/i

/** What other readers would read as something else, in an address and in a host. */
const SPECIAL = unicodeExpression(String.raw`[\s\\]|\p{C}`)
const SPECIAL_IN_HOST = unicodeExpression(String.raw`[/?#@:\\%*\s]|\p{C}`)

/** Reads an address, or says as a clause why it cannot be judged. */
export function readUrl(value: string): URL | { readonly problem: string } {
  if (value.length > MAX_URL_CHARS) return { problem: isLongerThan(MAX_URL_CHARS) }
  const host = AUTHORITY.exec(value)?.[1]
  if (host === undefined) return { problem: 'is not an http or https address' }
  if (host.includes('@')) return { problem: 'holds a user name' }
  if (SPECIAL().test(value)) return { problem: 'holds blanks, backslashes or control characters' }
  if (host.includes('%')) return { problem: 'holds an encoded host' }
  try {
    return new URL(value)
  } catch {
    return { problem: 'is not a valid address' }
  }
}

/** Whether a host is one that a pattern of hosts means: itself and all below it, or with `*.` only what is below. */
export function coversHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  const below = pattern.startsWith('*.')
  const wanted = hostOf(below ? pattern.slice('*.'.length) : pattern)
  return wanted !== undefined && ((!below && host === wanted) || host.endsWith(`.${wanted}`))
}

/** A host as an address has it: lower case, punycode, no trailing dot. Undefined if it is more than a host. */
export function hostOf(text: string): string | undefined {
  if (SPECIAL_IN_HOST().test(text)) return undefined
  try {
    return bareHost(new URL(`https://${text}`).hostname) || undefined
  } catch {
    return undefined
  }
}

/** Without the dot that may end it. */
export function bareHost(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}
