import type { WordCheck } from '../program.ts'

/** Functions and keywords of jq that read only the input. `env`, `import`, `include` and `input_filename` are not among them. */
const KNOWN = new Set(
  (
    'and or not if then elif else end as reduce foreach try catch label break limit first last nth until while ' +
    'repeat range empty error null true false length utf8bytelength keys keys_unsorted values has in map map_values ' +
    'path paths leaf_paths del delpaths getpath setpath to_entries from_entries with_entries select recurse ' +
    'recurse_down walk transpose input inputs debug stderr input_line_number arrays objects iterables booleans ' +
    'numbers normals finites strings nulls scalars add any all flatten floor ceil round sqrt pow log log2 log10 exp ' +
    'exp2 exp10 abs fabs trunc min max min_by max_by sort sort_by group_by unique unique_by reverse contains inside ' +
    'startswith endswith combinations ltrimstr rtrimstr trimstr trim ltrim rtrim explode implode split splits join ' +
    'ascii ascii_downcase ascii_upcase tostring tonumber toboolean tojson fromjson type infinite nan isinfinite isnan ' +
    'isnormal isvalid test match capture scan sub gsub index indices rindex bsearch todate fromdate now dateadd ' +
    'datesub date localtime gmtime mktime strftime strptime strflocaltime fromdateiso8601 todateiso8601 pick ' +
    'have_literal_numbers tostream fromstream truncate_stream skip isempty halt halt_error significand logb gamma ' +
    'lgamma frexp modf ldexp scalb scalbln nearbyint rint toarray csv tsv html uri sh base64 base64d base32d text ' +
    'json IN INDEX sin cos tan asin acos atan base32'
  ).split(' '),
)

/**
 * Whether a program of jq certainly reads nothing but its input: each name in it, apart from fields and variables, is
 * known here. `$ENV`, modules and functions that the program defines are not.
 */
export const isHarmlessJq: WordCheck = (program) => {
  const code = codeOf(program)
  if (code === undefined) return false
  for (const [, before = '', name = ''] of code.matchAll(/(\.\s*|\$\s*|)([A-Za-z_]\w*(?:::\w+)*)/g)) {
    if (before.startsWith('$') && (name === 'ENV' || name.startsWith('__'))) return false
    if (name.includes('::')) return false
    const isKey = /^(?:\.|\$)/.test(before)
    if (!isKey && !KNOWN.has(name) && !isObjectKey(code, name)) return false
  }
  return true
}

/** Whether a name only ever stands before a colon, as the key of an object does, or is a key without a value: `{a, b}`. */
function isObjectKey(code: string, name: string): boolean {
  const uses = code.matchAll(new RegExp(`(?<![\\w.$])${name}(?!\\w)`, 'g'))
  return Array.from(uses).every(({ index }) => {
    const after = code.slice(index + name.length).trimStart()
    const before = code.slice(0, index).trimEnd()
    if (/^:(?!:)/.test(after)) return isInObject(before)
    return /[{,]$/.test(before) && /^[,}]/.test(after) && isInObject(before)
  })
}

/** Whether what comes next stands directly in the braces of an object. */
function isInObject(before: string): boolean {
  const open: string[] = []
  for (const character of before) {
    if ('{[('.includes(character)) open.push(character)
    else if ('}])'.includes(character)) open.pop()
  }
  return open.at(-1) === '{'
}

/** The program without texts and comments, with what stands in `\(…)` in a text; undefined where it is not certain. */
function codeOf(program: string): string | undefined {
  let code = ''
  // How many parentheses are open in each text that code stands in.
  const open: number[] = []
  let inText = false
  for (let at = 0; at < program.length; at++) {
    const character = program[at]!
    if (inText) {
      if (character === '"') inText = false
      else if (character === '\\') {
        const next = program[++at]
        if (next !== '(') continue
        open.push(0)
        inText = false
        code += ' ('
      }
    } else if (character === '#') {
      // Versions differ in where a comment ends.
      return undefined
    } else if (character === '"') {
      inText = true
      code += ' "" '
    } else {
      if (character === '(' && open.length > 0) open[open.length - 1]!++
      if (character === ')' && open.length > 0 && open[open.length - 1]!-- === 0) {
        open.pop()
        inText = true
        code += ') '
        continue
      }
      code += character
    }
  }
  return inText || open.length > 0 ? undefined : code
}
