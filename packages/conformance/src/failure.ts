const MAX_REASON_CHARS = 4000
const MAX_VALUE_CHARS = 1000
/** How many characters of a text are shown before a difference, and twice as many behind it. */
const CONTEXT_CHARS = 80

/**
 * Returns the error that a check rejects with: `expected no run of "Bash", saw [{"tool":"Bash",…}]`.
 * @param expected the demand, as the object of "expected"
 * @param seen what was there instead
 */
export function failure(expected: string, seen: unknown): Error {
  return new Error(`expected ${expected}, saw ${show(seen)}`)
}

/** Returns the error for a text that differs from the expected one: the first difference. Either may be missing. */
export function textFailure(what: string, seen: string | undefined, expected: string | undefined): Error {
  let at = 0
  while (at < (seen?.length ?? 0) && seen?.[at] === expected?.[at]) at++
  const shown = (text: string | undefined): string => (text === undefined ? 'nothing' : show(around(text, at)))
  return new Error(`expected ${what} to be ${shown(expected)}, saw ${shown(seen)}`)
}

/** Returns the error for a text that lacks a part. It is shown where most of the part's beginning is found. */
export function partFailure(what: string, text: string, part: string): Error {
  let [matching, mismatching] = [0, part.length]
  while (mismatching - matching > 1) {
    const middle = (matching + mismatching) >> 1
    if (text.includes(part.slice(0, middle))) matching = middle
    else mismatching = middle
  }
  const at = text.indexOf(part.slice(0, matching)) + matching
  return failure(`${what} to contain ${show(around(part, matching))}`, around(text, at))
}

/** Returns the error for a text with a part that it must not contain. */
export function unwantedFailure(what: string, text: string, part: string): Error {
  return failure(`${what} not to contain ${show(part)}`, around(text, text.indexOf(part)))
}

/** A text around a position, with ellipses for what is left out. */
function around(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - CONTEXT_CHARS), at + 2 * CONTEXT_CHARS]
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** A value as one line for a person: JSON if possible, cut after `maxChars` characters. */
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
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return 'a value that JSON cannot represent'
  }
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return `${text.slice(0, maxChars)}… (${text.length - maxChars} more characters)`
}
