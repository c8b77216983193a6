import { firstDifference } from './difference.ts'

const MAX_REASON_CHARS = 4000
const MAX_VALUE_CHARS = 1000

/**
 * Returns the error that a check rejects with: `expected no run of "Bash", saw [{"tool":"Bash",…}]`.
 * @param expected the demand, as the object of "expected"
 * @param seen what was there instead
 */
export function failure(expected: string, seen: unknown): Error {
  return new Error(`expected ${expected}, saw ${show(seen)}`)
}

/** How many characters of a text are shown before a difference. */
const CONTEXT_CHARS = 60

/**
 * Returns the error for a text that differs from the expected one. Of long texts only the difference is shown, since
 * a system prompt on one line is unreadable.
 */
export function textFailure(what: string, seen: string, expected: string): Error {
  if (Math.max(seen.length, expected.length) <= 4 * CONTEXT_CHARS)
    return failure(`${what} to be ${show(expected)}`, seen)
  if (seen.includes('\n') && expected.includes('\n'))
    return new Error(
      `expected ${what} to be as the line marked "-", saw the one marked "+":\n${firstDifference(seen, expected)}`,
    )
  const at = commonPrefixLength(seen, expected)
  return failure(`${what}, from character ${at + 1} on, to be ${show(excerpt(expected, at))}`, excerpt(seen, at))
}

/** Returns the error for a text that lacks a part, shown at the most similar position. */
export function partFailure(what: string, text: string, part: string): Error {
  const expected = `${what} to contain ${show(part, 4 * CONTEXT_CHARS)}`
  if (text.length <= 4 * CONTEXT_CHARS) return failure(expected, text)
  let [matching, mismatching] = [0, part.length]
  while (mismatching - matching > 1) {
    const middle = (matching + mismatching) >> 1
    if (text.includes(part.slice(0, middle))) matching = middle
    else mismatching = middle
  }
  // A few characters occur anywhere.
  if (matching < 12)
    return failure(
      expected,
      `${text.slice(0, 2 * CONTEXT_CHARS)}… (${text.length - 2 * CONTEXT_CHARS} more characters)`,
    )
  const at = text.indexOf(part.slice(0, matching)) + matching
  return failure(`${what} to continue with ${show(excerpt(part, matching))}`, excerpt(text, at))
}

/** Returns the error for a text with a part that it must not contain. */
export function unwantedFailure(what: string, text: string, part: string): Error {
  return failure(`${what} not to contain ${show(part, 4 * CONTEXT_CHARS)}`, excerpt(text, text.indexOf(part)))
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** A text around a position, with ellipses for what is left out. */
function excerpt(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - CONTEXT_CHARS), Math.min(text.length, at + 2 * CONTEXT_CHARS)]
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** A value as one line for a person: JSON if possible, cut after `longest` characters. */
export function show(value: unknown, maxChars: number = MAX_VALUE_CHARS): string {
  return cut(asText(value), maxChars)
}

/** A thrown value as text: its name if that is meaningful, its message, and its causes. */
export function reasonOf(thrown: unknown): string {
  return cut(chain(thrown, 0), MAX_REASON_CHARS)
}

function chain(thrown: unknown, depth: number): string {
  if (!(thrown instanceof Error)) return `${show(thrown)} was thrown, which is not an Error`
  const name = thrown.name === 'Error' || thrown.name === '' ? '' : `${thrown.name}: `
  const text = `${name}${thrown.message === '' ? '(no message)' : thrown.message}`
  // A chain of causes can be circular.
  if (depth === 4) return text
  const inner = thrown instanceof AggregateError ? [...thrown.errors] : []
  if (thrown.cause !== undefined) inner.push(thrown.cause)
  const causes = inner.map((cause: unknown) => (cause instanceof Error ? chain(cause, depth + 1) : show(cause)))
  return causes.length === 0 ? text : `${text} (${causes.join('; ')})`
}

function asText(value: unknown): string {
  if (value instanceof Error) return reasonOf(value)
  if (typeof value === 'function') return `a function ${value.name}`.trimEnd()
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that JSON cannot represent'
  }
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')
  return `${head}… (${text.length - head.length} more characters)`
}
