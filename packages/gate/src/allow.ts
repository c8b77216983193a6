import { quote, type ToolRule } from '@repertoire/skill-md/internal'
import { argumentChecks } from './argument-checks.ts'
import type { ReadCall } from './call.ts'
import { compareLine } from './command/allow.ts'
import { hostRules, rulesFor } from './host-tools/named.ts'
import { COMMAND_ALONE, isPosixShell, shellProblem } from './other-arguments.ts'
import { allowsAll, listRules, type RuleList, scopeOf } from './rules.ts'
import type { Mismatch } from './texts.ts'

export interface Allowed {
  readonly rules: readonly string[]
  readonly ofTool: readonly string[]
}

/**
 * Says why no rule of a list allows a call; undefined if one does. It names what may be called instead by what all
 * lists allow together. A rule without a pattern allows every call of its tool; one with a pattern a call of which
 * every argument is covered, and at least one is there.
 */
export function mismatchReason(call: ReadCall, list: RuleList, findAllowed: () => Allowed): string | undefined {
  const named = rulesFor(list.rules, { name: call.tool, as: call.as }, call.tools)
  const { when, who } = scopeOf(list)
  const mismatch = named.length === 0 ? undefined : findMismatch(call, named, list)
  if (named.length > 0 && mismatch === undefined) return undefined
  const { rules: allowed, ofTool } = findAllowed()
  // Where no call of the tool is possible, what was wrong with this one would only invite another.
  if (mismatch === undefined || (ofTool.length === 0 && call.tools.names !== undefined)) {
    const others = allowed.length === 0 ? 'no tools but the skill tools' : `only ${listRules(allowed)}`
    const own = hostRules(list.rules, call.tools).rules
    const isOwn = allowed.length === own.length && allowed.every((each) => own.includes(each))
    const instead = isOwn
      ? `${who} allows ${others}`
      : `${who} does not allow it. All active rules together allow ${others}`
    return `${quote(call.tool)} may not be used ${when}: ${instead}.${actionHint(call)}`
  }
  const how = ofTool.length === 0 ? 'not be used' : `only be used as ${listRules(ofTool)}`
  return `${quote(call.tool)} may ${how} ${when}; ${mismatch.why}.${mismatch.hint === undefined ? '' : ` ${mismatch.hint}`}`
}

function findMismatch(call: ReadCall, named: readonly ToolRule[], { folder }: RuleList): Mismatch | undefined {
  const { argument, arguments: read } = call
  if (named.some((rule) => allowsAll(rule, argument?.kind))) return undefined
  if ('problem' in read) {
    return { why: read.missing ? `${read.problem}, to which that applies` : read.problem }
  }
  const patterns = named.flatMap(({ pattern }) => pattern ?? [])
  if (argument!.kind !== 'shell') {
    const checks = argumentChecks(call, argument!, read, false)
    // One rule has to cover all of them.
    if (patterns.some((pattern) => checks.every(({ matches }) => matches(pattern)))) return undefined
    return checks.find(({ matches }) => !patterns.some(matches)) ?? checks.find(({ matches }) => !matches(patterns[0]!))
  }
  const other = shellProblem(call)
  if (other !== undefined) return { why: other, hint: COMMAND_ALONE }
  for (const { name, text, expected = 'text' } of read.values) {
    if (text === undefined) return { why: `its argument ${quote(name)} is not ${expected}` }
    const mismatch = compareLine(call.line(text), patterns, { isPosix: isPosixShell(call), folder })
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

/** For a tool that does several things, if the call does not say which: the argument that tells it. */
function actionHint({ known: { by }, as }: ReadCall): string {
  if (by === undefined || as !== undefined) return ''
  const values = [...by.uses.keys()].map((value) => quote(value))
  return ` What it does is told by its argument ${quote(by.argument)}: give ${values.join(', ')}.`
}
