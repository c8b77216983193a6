import { quote, shown } from '../../text/quote.ts'
import type { ToolRule } from '../../ports/manifest.ts'
import type { ReadCall } from '../call.ts'
import { type RuleList, ruleText, scopeOf } from '../rules.ts'
import { COMMAND_ALONE, isPosixShell, shellInputProblem } from '../shell-input.ts'
import { foldTool, isSameTool } from '../tool-name.ts'
import { deniedByAll, type DenialCheck } from './denial.ts'
import { denyPath } from './path.ts'
import { denyText } from './text.ts'
import { denyUrl } from './url.ts'

/** Patterns that mean every call of a tool, of whatever kind. */
const EVERY_CALL = /^(?:\*\*?|:\*|\*\*\/\*)$/

/**
 * Returns a function that says why a list of rules denies a call; undefined where it does not. A rule that denies is read
 * the reverse way of one that allows: there a call that cannot be judged is covered by nothing, here it is covered by
 * everything. So a call passes only where no argument that the rules are about can be what they mean.
 */
export function createDenyCheck(call: ReadCall): (list: RuleList) => string | undefined {
  let checks: readonly DenialCheck[] | undefined
  return (list) => {
    const named = list.rules.filter((rule) => mayNameTool(rule.tool, call.tool))
    if (named.length === 0) return undefined
    const { when, who } = scopeOf(list)
    const whole = named.find(isWholeTool)
    if (whole !== undefined) {
      return `${quote(call.tool)} may not be used ${when}: ${who} disallows ${shown(ruleText(whole))}.`
    }
    checks ??= checkArguments(call)
    for (const rule of named) {
      for (const check of checks) {
        const denial = check(rule.pattern ?? '*')
        if (denial === undefined) continue
        const { why, hint } = denial
        const what = `${quote(call.tool)} may not be used like this ${when}: ${who} disallows ${shown(ruleText(rule))}`
        return `${what}, and ${why}.${hint === undefined ? '' : ` ${hint}`}`
      }
    }
    return undefined
  }
}

/** Whether a rule denies a tool as a whole, so that no call of it passes. */
export function deniesTool(rule: ToolRule, tool: string): boolean {
  return isWholeTool(rule) && mayNameTool(rule.tool, tool)
}

/**
 * Whether a rule that denies may mean a tool. A `*` stands for any rest, further `__` included: here it is safer to reach
 * too far than not far enough.
 */
export function mayNameTool(rule: string, tool: string): boolean {
  const star = rule.indexOf('*')
  return star < 0 ? isSameTool(rule, tool) : foldTool(tool).startsWith(foldTool(rule.slice(0, star)))
}

function isWholeTool({ pattern }: ToolRule): boolean {
  return pattern === undefined || EVERY_CALL.test(pattern)
}

function checkArguments(call: ReadCall): readonly DenialCheck[] {
  const { argument, arguments: read, cwd } = call
  if ('problem' in read) return [deniedByAll(read.missing ? `${read.problem}, so that it may be meant` : read.problem)]
  const { kind, reads } = argument!
  const other = kind === 'shell' ? shellInputProblem(argument!, call.input, cwd) : undefined
  if (other !== undefined) return [deniedByAll(`${other}, so that it may be meant`, COMMAND_ALONE)]
  return read.values.map(({ name, value }) => {
    if (typeof value !== 'string') return deniedByAll(`its argument ${quote(name)} is not text`)
    if (kind === 'shell') return call.commands!.denyCommand(call.commandLine(value), isPosixShell(argument!, cwd))
    if (kind === 'path') return denyPath(value, cwd, reads === 'below')
    return kind === 'url' ? denyUrl(value) : denyText(value)
  })
}
