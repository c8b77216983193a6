/** A line of a frontmatter, rewritten as valid YAML with the only meaning that it can have. */
export interface Repair {
  /** The whole frontmatter with this line rewritten. The number of lines is unchanged. */
  readonly text: string
  /** 0-based within the frontmatter. */
  readonly line: number
  readonly key: string
  /** What was wrong, as the end of a sentence that begins with `The value of "x"`. */
  readonly reason: string
  /** The number of `: ` in the value. */
  readonly colons: number
}

const FIELD = /^ *([\w.-]+):[ \t]+(?=\S)/
/** Characters that no plain scalar may begin with. */
const NOT_AT_START = /^[@`%,]/
const INDICATOR = /^(?:["'[\]{}>|*&!#]|[-?:](?:\s|$))/
const COLON = /:(?=\s|$)/
/** A flow list with something after it: `[file] [mode]`, `[text](link)`. */
const BRACKETS_AND_MORE = /^\[[^[\]{}"']*\]\s*[^\s#]/
const FLOW_LIST = /^\[[^[\]{}"']*\]$/
const COMMENT = /\s#/

/**
 * Repairs the line with a YAML error if it can have only one meaning: a one-line value that holds `: ` without quotes,
 * begins with a character that no plain scalar may begin with, or continues after `[…]`. Returns undefined for ambiguous
 * lines (a comment in the value, quotes, nested brackets). A value that continues on the next line is invalid YAML after
 * the repair, too.
 * @param line the line with the error, 0-based
 */
export function repairLine(text: string, line: number): Repair | undefined {
  const lines = text.split('\n')
  const original = lines[line] ?? ''
  const [prefix, key] = FIELD.exec(original) ?? []
  if (prefix === undefined || key === undefined) return undefined
  const value = original.slice(prefix.length).trimEnd()
  if (COMMENT.test(value)) return undefined
  const repaired = repairValue(value)
  if (repaired === undefined) return undefined
  lines[line] = prefix + repaired.value + (original.endsWith('\r') ? '\r' : '')
  return { text: lines.join('\n'), line, key, reason: repaired.reason, colons: value.split(COLON).length - 1 }
}

function repairValue(value: string): { readonly value: string; readonly reason: string } | undefined {
  if (NOT_AT_START.test(value)) return { value: inQuotes(value), reason: `begins with "${value[0]}" without quotes` }
  if (BRACKETS_AND_MORE.test(value)) return { value: inQuotes(value), reason: 'continues after "]" without quotes' }
  if (FLOW_LIST.test(value)) return repairItems(value)
  if (INDICATOR.test(value) || !COLON.test(value)) return undefined
  return { value: inQuotes(value), reason: 'holds ": " without quotes' }
}

/** `[input, @if]`: puts items that begin with a reserved character in quotes. */
function repairItems(list: string): { readonly value: string; readonly reason: string } | undefined {
  const items = list.slice(1, -1).split(',')
  if (COLON.test(list) || !items.some((item) => /^\s*[@`]/.test(item))) return undefined
  const quoted = items.map((item) => (/^\s*[@`]/.test(item) ? item.replace(/\S.*\S|\S/, inQuotes) : item))
  return { value: `[${quoted.join(',')}]`, reason: 'holds an item that begins with "@" or "`" without quotes' }
}

function inQuotes(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
