import { quote, shown, type ToolRule } from '@repertoire/skill-md/internal'
import { argumentChecks } from './argument-checks.ts'
import { readArguments, type ReadCall } from './call.ts'
import { denyLine, readDeniable } from './command/deny.ts'
import { isWholeTool, mayMeanTool } from './host-tools/named.ts'
import { COMMAND_ALONE, isPlainLine, isPosixShell, shellProblem } from './other-arguments.ts'
import { type RuleList, ruleText, scopeOf } from './rules.ts'
import { type Check, type Mismatch, unjudged } from './texts.ts'

/** The rule that denies a call, and why. */
export interface DeniedBy {
  readonly rule: ToolRule
  readonly reason: string
}

/**
 * Returns a function that says why a list of rules denies a call; undefined if it does not. Such a rule is read the
 * reverse way of one that allows: what cannot be judged is covered by everything. So a call passes only if no argument
 * can be what the rules mean, under none of the names that the tool may go by.
 */
export function createDenyCheck(call: ReadCall): (list: RuleList) => DeniedBy | undefined {
  const { tool, as, maybe, tools } = call
  let checks: readonly Denial[] | undefined
  return (list) => {
    const named = list.rules.filter((rule) => mayMeanTool(rule.tool, { name: tool, as, maybe }, tools))
    if (named.length === 0) return undefined
    const { when, who } = scopeOf(list)
    const whole = named.find(isWholeTool)
    if (whole !== undefined) {
      const reason = `${quote(tool)} may not be used ${when}: ${who} disallows ${shown(ruleText(whole))}.`
      return { rule: whole, reason }
    }
    checks ??= denials(call)
    for (const rule of named) {
      for (const check of checks) {
        const denied = check(rule.pattern ?? '*')
        if (denied === undefined) continue
        const { why, hint } = denied
        const what = `${quote(tool)} may not be used like this ${when}: ${who} disallows ${shown(ruleText(rule))}`
        return { rule, reason: `${what}, and ${why}.${hint === undefined ? '' : ` ${hint}`}` }
      }
    }
    return undefined
  }
}

/** Says why a pattern may mean an argument; undefined if it certainly does not. */
type Denial = (pattern: string) => Mismatch | undefined

const byCheck =
  (check: Check): Denial =>
  (pattern) =>
    check.matches(pattern) ? check : undefined

function denials(call: ReadCall): readonly Denial[] {
  const argument = call.argument ?? call.known.maybeArgument
  const read = argument === call.argument ? call.arguments : readArguments(argument, call.input)
  if ('problem' in read) {
    return [byCheck(unjudged(true, read.missing ? `${read.problem}, so that rule may apply` : read.problem))]
  }
  if (argument!.kind !== 'shell') return argumentChecks(call, argument!, read, true).map(byCheck)
  const other = shellProblem(call, argument)
  if (other !== undefined) return [byCheck(unjudged(true, `${other}, so that rule may apply`, COMMAND_ALONE))]
  return read.values.map(({ name, text, expected = 'text' }) => {
    if (text === undefined) return byCheck(unjudged(true, `its argument ${quote(name)} is not ${expected}`))
    if (!isPosixShell(call, argument) && !isPlainLine(text)) {
      return byCheck(unjudged(true, 'the command is not one of plain words, and no POSIX shell reads it'))
    }
    const line = readDeniable(call.line(text))
    return (pattern) => {
      const why = denyLine(line, pattern)
      return why === undefined ? undefined : { why }
    }
  })
}
