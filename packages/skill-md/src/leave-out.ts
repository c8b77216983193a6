import { FIELDS, findAlmostRestricting, findMisspelled } from './fields/fields.ts'

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
  if (field !== undefined) return field.dispensable === true
  return findMisspelled(key) === undefined && findAlmostRestricting(key) === undefined && key !== 'tools'
}

/** In a broken field, an indented line may be a field of its own that was indented by mistake. */
function mayBeRestriction(line: string): boolean {
  const key = keyOf(INNER_KEY, line)
  return key !== undefined && key !== 'name' && key !== 'description' && !isDispensable(key)
}

function keyOf(pattern: RegExp, line: string): string | undefined {
  const [, plain, double, single] = pattern.exec(line) ?? []
  return plain ?? double ?? single
}
