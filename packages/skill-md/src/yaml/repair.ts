import { FIELDS, findMeant, SUB_AGENT_FIELDS } from '../fields/fields.ts'

/** A line of a frontmatter, rewritten as valid YAML with the only meaning that it can have. */
export interface Repair {
  /** The whole frontmatter with this line rewritten. The number of lines is unchanged. */
  readonly text: string
  /** 0-based within the frontmatter. */
  readonly line: number
  readonly key: string
  /** What was wrong, as the end of a sentence that begins with `The value of "x"`. */
  readonly reason: string
}

const FIELD = /^ *([\w.-]+):[ \t]+(?=\S)/
const COMMENT = /\s#/

/** A list with an item that begins with a reserved character: `[input, @if]`. */
const RESERVED_ITEM = /^\[(?!.*:(?:\s|$))(?=(?:[^,]*,)*\s*[@`])[^[\]{}"']*\]$/
/** Values that can only be text, and why they are no valid YAML. One that opens quotes or brackets is not. */
const REPAIRED: readonly (readonly [form: RegExp, reason: string])[] = [
  [RESERVED_ITEM, 'holds an item that begins with a reserved character without quotes'],
  [/^[@`%,]/, 'begins with a reserved character without quotes'],
  [/^\[[^[\]{}"']*\]\s*[^\s#]/, 'continues after "]" without quotes'],
  [/^\{(?:[^[\]{}"']*|\{[^[\]{}"']*\})\}\s*[^\s#,]/, 'continues after "}" without quotes'],
  [/^(?!.*:(?:\s|$))"[^"\\]*"[ \t).;!?-]+[^\s#,:").;!?-][^"]*$/, 'continues after a closing quote'],
  [/^(?!.*:(?:\s|$))'[^']*'[ \t).;!?-]+[^\s#,:').;!?-][^']*$/, 'continues after a closing quote'],
  [/^(?!["'[\]{}>|*&!#]|[-?:](?:\s|$)).*:(?:\s|$)/, 'holds ": " without quotes'],
]
/** Emphasis with something after it: `*Fast* and simple`. An alias, which begins like it, never has text after it. */
const EMPHASIS: typeof REPAIRED = [
  [/^(\*{1,3})[^*\s](?:[^*]*[^*\s])?\1[ \t).,:;!?-]+[^\s#]/, 'begins with "*" without quotes'],
]

/**
 * Repairs the line with a YAML error if it can have only one meaning: a one-line value that holds `: ` without quotes,
 * begins with a character that no plain scalar may begin with, or continues after `[…]`, `{…}`, `"…"` or `*…*`. Returns
 * undefined for ambiguous lines (a comment in the value, quotes inside quotes, nested brackets). A value that continues
 * on the next line is invalid YAML after the repair, too.
 * @param line the line with the error, 0-based
 * @param isAlias whether the error is an alias: then only emphasis is repaired
 */
export function repairLine(text: string, line: number, isAlias: boolean): Repair | undefined {
  const lines = text.split('\n')
  const original = lines[line] ?? ''
  const [prefix = '', key] = FIELD.exec(original) ?? []
  const value = original.slice(prefix.length).trimEnd()
  const [, reason] = (isAlias ? EMPHASIS : REPAIRED).find(([form]) => form.test(value)) ?? []
  if (key === undefined || reason === undefined || COMMENT.test(value)) return undefined
  const quoted = RESERVED_ITEM.test(value)
    ? value.replaceAll(/(?<=[[,]\s*)[@`][^,\]]*/g, (item) => `'${item.trimEnd()}'`)
    : `'${value.replaceAll("'", "''")}'`
  lines[line] = `${prefix}${quoted}${original.endsWith('\r') ? '\r' : ''}`
  return { text: lines.join('\n'), line, key, reason }
}

/** A field that was left out of a frontmatter. */
export interface LeftOut {
  readonly key: string
  /** 0-based within the frontmatter. */
  readonly line: number
}

/** A line at the first column that begins a field. */
const FIELD_LINE = /^(?:([\w.-]+)|"([^"\\]*)"|'([^']*)')[ \t]*:(?:\s|$)/
/** A line that belongs to the field above it: indented, blank, a comment, or an entry of a list. */
const BELONGS = /^(?:[ \t]|\r?$|#|-(?:\s|$))/
/** What looks like a key inside of a field. */
const INNER_KEY = /^[ \t-]*(?:([\w.-]+)|"([^"\\]*)"|'([^']*)')[ \t]*:/

/**
 * Leaves out the fields that cannot be read and that say nothing about what the skill is, may do, or who sees it. Their
 * lines become blank, so that all others keep their numbers. Returns undefined if nothing is left out, if it is not
 * certain where a field ends, or if the name or the description is missing.
 * @param isBroken whether the text of one field cannot be read
 */
export function leaveOut(
  text: string,
  isBroken: (field: string) => boolean,
): { readonly text: string; readonly leftOut: readonly LeftOut[] } | undefined {
  const lines = text.split('\n')
  const fields: { readonly key: string; readonly line: number; end: number }[] = []
  for (const [index, line] of lines.entries()) {
    const key = keyOf(FIELD_LINE, line)
    if (key !== undefined) fields.push({ key, line: index, end: index + 1 })
    else if (!BELONGS.test(line)) return undefined
    else if (fields.length > 0) fields.at(-1)!.end = index + 1
    else if (/^[ \t]*[^\s#]/.test(line)) return undefined
  }
  if (!['name', 'description'].every((key) => fields.some((field) => field.key === key))) return undefined
  const leftOut = fields.filter(({ key, line, end }) => {
    const own = lines.slice(line, end)
    return isDispensable(key) && isBroken(`${own.join('\n')}\n`) && !own.slice(1).some(mayBeRestriction)
  })
  if (leftOut.length === 0) return undefined
  for (const { line, end } of leftOut) lines.fill('', line, end)
  return { text: lines.join('\n'), leftOut: leftOut.map(({ key, line }) => ({ key, line })) }
}

function isDispensable(key: string): boolean {
  const field = FIELDS.get(key)
  if (field !== undefined) return field.isProse === true && key !== 'description'
  return findMeant(key) === undefined && !SUB_AGENT_FIELDS.has(key)
}

/** In a broken field, an indented line may be its own field that was indented by mistake. */
function mayBeRestriction(line: string): boolean {
  const key = keyOf(INNER_KEY, line)
  if (key === undefined) return false
  const known = FIELDS.has(key) ? key : (findMeant(key) ?? '')
  return known === 'hooks' || FIELDS.get(known)?.restricts === true || SUB_AGENT_FIELDS.has(key)
}

function keyOf(pattern: RegExp, line: string): string | undefined {
  const [, plain, double, single] = pattern.exec(line) ?? []
  return plain ?? double ?? single
}
