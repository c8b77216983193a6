const LONGEST_REASON = 4000
const LONGEST_VALUE = 1000

/**
 * What a check rejects with: `expected no run of "Bash", saw [{"tool":"Bash",…}]`.
 * @param expected the demand, as the object of "expected"
 * @param seen what was there instead
 */
export function failure(expected: string, seen: unknown): Error {
  return new Error(`expected ${expected}, saw ${show(seen)}`)
}

/** A value as one line for a person: JSON where it can be, cut after `longest` characters. */
export function show(value: unknown, longest: number = LONGEST_VALUE): string {
  return cut(asText(value), longest)
}

/** What was thrown, as text: its name where it says something, its message, and its causes. */
export function reasonOf(thrown: unknown): string {
  return cut(chain(thrown, 0), LONGEST_REASON)
}

function chain(thrown: unknown, depth: number): string {
  if (!(thrown instanceof Error)) return `${show(thrown)} was thrown, which is no Error`
  const name = thrown.name === 'Error' || thrown.name === '' ? '' : `${thrown.name}: `
  const own = `${name}${thrown.message === '' ? '(no message)' : thrown.message}`
  // A chain of causes can be a circle.
  if (depth === 4) return own
  const inner = thrown instanceof AggregateError ? [...thrown.errors] : []
  if (thrown.cause !== undefined) inner.push(thrown.cause)
  const causes = inner.map((cause: unknown) => (cause instanceof Error ? chain(cause, depth + 1) : show(cause)))
  return causes.length === 0 ? own : `${own} (${causes.join('; ')})`
}

function asText(value: unknown): string {
  if (value instanceof Error) return reasonOf(value)
  if (typeof value === 'function') return `a function ${value.name}`.trimEnd()
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that JSON cannot carry'
  }
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const head = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
  return `${head}… (${text.length - head.length} more characters)`
}
