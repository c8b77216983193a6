/** A line of a frontmatter, rewritten so that it says in YAML what it can only have meant. */
export interface Repair {
  /** The whole frontmatter with this line rewritten. No line was added or taken away. */
  readonly text: string
  /** 0-based within the frontmatter. */
  readonly line: number
  readonly key: string
  /** What was wrong, to follow `The value of "x"`. */
  readonly reason: string
  /** How many `: ` the value holds. */
  readonly colons: number
}

const FIELD = /^ *([\w.-]+):[ \t]+(?=\S)/
/** Characters that begin something else than text in YAML, or nothing at all. */
const NOT_AT_START = /^[@`%,]/
const INDICATOR = /^(?:["'[\]{}>|*&!#]|[-?:](?:\s|$))/
const COLON = /:(?=\s|$)/
/** A flow list with something after it: `[file] [mode]`, `[text](link)`. */
const BRACKETS_AND_MORE = /^\[[^[\]{}"']*\]\s*[^\s#]/
const FLOW_LIST = /^\[[^[\]{}"']*\]$/
const COMMENT = /\s#/

/**
 * Repairs the line that YAML choked on, where only one reading is left: a value of one line that holds `: ` without
 * quotes, that begins with a character that nothing begins with, or that goes on after `[…]`. What could be read in
 * two ways (a comment in the value, quotes, nested brackets) stays as it is; a value that goes on in the next line is
 * no valid YAML after the repair either.
 * @param line the line with the error, 0-based
 */
export function repairLine(text: string, line: number): Repair | undefined {
  const lines = text.split('\n')
  const original = lines[line] ?? ''
  const [lead, key] = FIELD.exec(original) ?? []
  if (lead === undefined || key === undefined) return undefined
  const value = original.slice(lead.length).trimEnd()
  if (COMMENT.test(value)) return undefined
  const repaired = repairValue(value)
  if (repaired === undefined) return undefined
  lines[line] = lead + repaired.value + (original.endsWith('\r') ? '\r' : '')
  return { text: lines.join('\n'), line, key, reason: repaired.reason, colons: value.split(COLON).length - 1 }
}

function repairValue(value: string): { readonly value: string; readonly reason: string } | undefined {
  if (NOT_AT_START.test(value)) return { value: inQuotes(value), reason: `begins with "${value[0]}" without quotes` }
  if (BRACKETS_AND_MORE.test(value)) return { value: inQuotes(value), reason: 'goes on after "]" without quotes' }
  if (FLOW_LIST.test(value)) return repairItems(value)
  if (INDICATOR.test(value) || !COLON.test(value)) return undefined
  return { value: inQuotes(value), reason: 'holds ": " without quotes' }
}

/** `[input, @if]`: the items that begin with a character that nothing begins with are put in quotes. */
function repairItems(list: string): { readonly value: string; readonly reason: string } | undefined {
  const items = list.slice(1, -1).split(',')
  if (COLON.test(list) || !items.some((item) => /^\s*[@`]/.test(item))) return undefined
  const quoted = items.map((item) => (/^\s*[@`]/.test(item) ? item.replace(/\S.*\S|\S/, inQuotes) : item))
  return { value: `[${quoted.join(',')}]`, reason: 'holds an item that begins with "@" or "`" without quotes' }
}

function inQuotes(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
