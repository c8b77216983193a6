import { quote } from '../../text/quote.ts'
import type { ReadCall } from '../call.ts'
import { rulesFor } from '../host-tools/named.ts'
import { hostRules } from '../host-tools/shown.ts'
import type { ToolRule } from '../../ports/manifest.ts'
import { listRules, type RuleList, ruleText, scopeOf } from '../rules.ts'
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
 * A tool that stands for several others needs a rule of each. Only what is declared in `tools` is looked at: where a tool
 * has other arguments that matter (an environment, a working folder), its host has to mind them.
 */
export function createAllowCheck(call: ReadCall): (list: RuleList) => string | undefined {
  let comparisons: readonly Comparison[] | undefined
  const findMismatch = (named: readonly ToolRule[]): Mismatch | undefined => {
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
    return tellingMismatch(mismatches)
  }
  return (list) => {
    const { rules } = list
    const groups = rulesFor(rules, { name: call.tool, as: call.as }, call.tools)
    const { when, who } = scopeOf(list)
    if (groups.some((group) => group.length === 0)) {
      const others =
        rules.length === 0 ? 'no tools but the skill tools' : `only ${listRules(hostRules(rules, call.tools).rules)}`
      return `${quote(call.tool)} may not be used ${when}: ${who} allows ${others}.${unsure(call)}`
    }
    for (const named of groups) {
      const mismatch = findMismatch(named)
      if (mismatch === undefined) continue
      const { why, hint } = mismatch
      const forms = listRules(named.map((rule) => ruleText({ ...rule, tool: call.tool })))
      return `${quote(call.tool)} may only be used as ${forms} ${when}; ${why}.${hint === undefined ? '' : ` ${hint}`}`
    }
    return undefined
  }
}

/** Why a call of a tool that does several things is none of those that rules can speak of. */
function unsure({ known: { by }, as }: ReadCall): string {
  if (by === undefined || as.length > 0) return ''
  const values = [...by.uses.keys()].map((value) => quote(value))
  return ` What it does is told by its argument ${quote(by.argument)}: give ${values.join(', ')}.`
}

/** One comparison for each argument that a rule has to cover; where nothing can be compared, one that nothing covers. */
function compareArguments(call: ReadCall): readonly Comparison[] {
  const { argument, arguments: read, base } = call
  if ('problem' in read)
    return [coveredByNothing(read.missing ? `${read.problem}, to which that applies` : read.problem)]
  const kind = argument?.kind
  return read.values.map(({ name, value }) => {
    if (typeof value !== 'string') {
      const hint = kind === 'shell' ? call.commands?.PLAIN_COMMAND : undefined
      return coveredByNothing(`its argument ${quote(name)} is not text`, hint)
    }
    if (kind === 'shell') return call.commands!.compareCommand(call.commandLine(value))
    if (kind === 'path') return comparePath(value, base)
    return kind === 'url' ? compareUrl(value) : compareText(name, value)
  })
}
