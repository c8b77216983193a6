import { quote } from '../../text/quote.ts'
import type { ReadCall } from '../call.ts'
import { listRules, type RuleList, scopeOf } from '../rules.ts'
import { COMMAND_ALONE, isPosixShell, shellInputProblem } from '../shell-input.ts'
import { namesTool } from '../tool-name.ts'
import { type Comparison, coveredByNothing, type Mismatch, tellingMismatch } from './mismatch.ts'
import { comparePath } from './path.ts'
import { compareText } from './text.ts'
import { compareUrl } from './url.ts'

/**
 * Returns a function that says why no rule of a list allows a call; undefined where one does. A rule without a pattern
 * allows every call of its tool; a rule with one allows a call where every argument that its pattern is about is
 * covered, and at least one is there. `Tool(*)` is the whole tool, but for paths, where it is every file directly in
 * the working folder.
 *
 * Of a shell's call the other arguments count too: see `shellInputProblem`. Of other tools only what is declared in
 * `toolArguments` is looked at.
 */
export function createAllowCheck(call: ReadCall): (list: RuleList) => string | undefined {
  let comparisons: readonly Comparison[] | undefined
  return (list) => {
    const { rules } = list
    const named = rules.filter((rule) => namesTool(rule.tool, call.tool))
    const { when, who } = scopeOf(list)
    if (named.length === 0) {
      const others = rules.length === 0 ? 'no tools but the skill tools' : `only ${listRules(rules)}`
      return `${quote(call.tool)} may not be used ${when}: ${who} allows ${others}.`
    }
    const kind = call.argument?.kind
    if (named.some(({ pattern }) => pattern === undefined || (pattern === '*' && kind !== 'path'))) return undefined
    comparisons ??= compareArguments(call)
    const mismatches: Mismatch[] = []
    for (const { pattern = '' } of named) {
      const found = comparisons.map((compare) => compare(pattern)).filter((mismatch) => mismatch !== undefined)
      const mismatch = tellingMismatch(found)
      if (mismatch === undefined) return undefined
      mismatches.push(mismatch)
    }
    const { why, hint } = tellingMismatch(mismatches)!
    return `${quote(call.tool)} may only be used as ${listRules(named)} ${when}; ${why}.${hint === undefined ? '' : ` ${hint}`}`
  }
}

/** One comparison for each argument that a rule has to cover; where nothing can be compared, one that nothing covers. */
function compareArguments(call: ReadCall): readonly Comparison[] {
  const { argument, arguments: read, cwd } = call
  if ('problem' in read)
    return [coveredByNothing(read.missing ? `${read.problem}, which that speaks of` : read.problem)]
  const kind = argument?.kind
  const other = kind === 'shell' ? shellInputProblem(argument!, call.input, cwd) : undefined
  if (other !== undefined) return [coveredByNothing(other, COMMAND_ALONE)]
  return read.values.map(({ name, value }) => {
    if (typeof value !== 'string') {
      const hint = kind === 'shell' ? call.commands?.PLAIN_COMMAND : undefined
      return coveredByNothing(`its argument ${quote(name)} is not text`, hint)
    }
    if (kind === 'shell') return call.commands!.compareCommand(call.commandLine(value), isPosixShell(argument!, cwd))
    if (kind === 'path') return comparePath(value, cwd)
    return kind === 'url' ? compareUrl(value) : compareText(name, value)
  })
}
