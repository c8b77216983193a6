/** The beginning of every line that an audit writes. Inside the texts of an event, its quotes would be escaped. */
const EVENT_START = '{"version":1,"type":"'

/** How many beginnings behind a torn part are tried: one is the event's own, the others are objects in its input. */
const MAX_STARTS = 16

/**
 * Returns the JSON value that a line of an audit file holds, and what is before it: a line that was cut off may have a whole
 * event behind it.
 */
export function valueInLine(line: string): { readonly torn: string; readonly value?: unknown } {
  const whole = parsed(line)
  if (whole !== undefined) return { torn: '', ...whole }
  let at = line.lastIndexOf(EVENT_START)
  for (let tried = 0; at > 0 && tried < MAX_STARTS; tried++) {
    const rest = parsed(line.slice(at))
    if (rest !== undefined) return { torn: line.slice(0, at), ...rest }
    at = line.lastIndexOf(EVENT_START, at - 1)
  }
  return { torn: line }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
