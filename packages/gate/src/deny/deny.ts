import { commands } from '../load-commands.ts'
import { quote, shown, type ToolRule } from '@repertoire/skill-md/internal'
import type { ToolArgument } from '../ports/tool.ts'
import { type CallArguments, type ReadCall, type ReadValues, textsOf } from '../call.ts'
import { deniedUses } from '../host-tools/named.ts'
import type { PossibleTool } from '../host-tools/toolset.ts'
import { joinedPaths } from '../joined-paths.ts'
import { joinedUrls, mayBeAddress } from '../joined-urls.ts'
import { withHint } from '../other-arguments.ts'
import { type RuleList, ruleText, scopeOf } from '../rules.ts'
import { COMMAND_ALONE, isPosixShell, shellInputProblem } from '../shell-input.ts'
import { deniedByAll, type DenialCheck } from './denial.ts'
import { denyPath } from './path.ts'
import { denySql } from './sql.ts'
import { denyText } from './text.ts'
import { denyUrl } from './url.ts'
import { isWholeTool } from './whole-tool.ts'

/** The rule that denies a call, and why. */
export interface DeniedBy {
  readonly rule: ToolRule
  readonly reason: string
}

/**
 * Returns a function that says why a list of rules denies a call; undefined where it does not. A rule that denies is read
 * the reverse way of one that allows: there a call that cannot be judged is covered by nothing, here it is covered by
 * everything. So a call passes only where no argument that the rules are about can be what they mean, under none of the
 * names that the tool may go by.
 */
export function createDenyCheck(call: ReadCall): (list: RuleList) => DeniedBy | undefined {
  const checks = new Map<PossibleTool | undefined, readonly DenialCheck[]>()
  const checksOf = (use: PossibleTool | undefined): readonly DenialCheck[] => {
    let found = checks.get(use)
    if (found === undefined) checks.set(use, (found = checkUse(call, use)))
    return found
  }
  return (list) => {
    const { tool, as, maybe, tools } = call
    const named = list.rules
      .map((rule) => ({ rule, uses: deniedUses(rule.tool, { name: tool, as, maybe }, tools) }))
      .filter(({ uses }) => uses.length > 0)
    if (named.length === 0) return undefined
    const { when, who } = scopeOf(list)
    const whole = named.find(({ rule }) => isWholeTool(rule))
    if (whole !== undefined) {
      const reason = `${quote(tool)} may not be used ${when}: ${who} disallows ${shown(ruleText(whole.rule))}.`
      return { rule: whole.rule, reason }
    }
    for (const { rule, uses } of named) {
      for (const check of uses.flatMap(checksOf)) {
        const denial = check(rule.pattern ?? '*')
        if (denial === undefined) continue
        const { why, hint } = denial
        const what = `${quote(tool)} may not be used like this ${when}: ${who} disallows ${shown(ruleText(rule))}`
        return { rule, reason: `${what}, and ${why}.${hint === undefined ? '' : ` ${hint}`}` }
      }
    }
    return undefined
  }
}

/** @param use what the tool may be; undefined: what it is */
function checkUse(call: ReadCall, use: PossibleTool | undefined): readonly DenialCheck[] {
  if (use?.command !== undefined) return [commands().denyCommand(call.commandLine(use.command), true)]
  const argument = use?.argument ?? call.argument
  const read = argument === undefined || argument === call.argument ? call.arguments : call.readArgument(argument)
  return checkArguments(call, argument, read)
}

function checkArguments(
  call: ReadCall,
  argument: ToolArgument | undefined,
  read: CallArguments,
): readonly DenialCheck[] {
  if ('problem' in read) return [deniedByAll(read.missing ? `${read.problem}, so that rule may apply` : read.problem)]
  const { kind, reads } = argument!
  const other = kind === 'shell' ? shellInputProblem(argument!, call, call.base) : undefined
  if (other !== undefined) return [deniedByAll(`${other}, so that rule may apply`, COMMAND_ALONE)]
  const declared = read.values.map(({ name, value, expected = 'text' }) => {
    if (typeof value !== 'string') return deniedByAll(`its argument ${quote(name)} is not ${expected}`)
    if (kind === 'shell') return commands().denyCommand(call.commandLine(value), isPosixShell(argument!, call.base))
    if (kind === 'path') return denyPath(value, call.base, reads === 'below')
    if (kind === 'url') return denyUrl(value)
    return kind === 'sql' ? denySql(value) : denyText(value)
  })
  return [...declared, ...checkOthers(call, argument!, read)]
}

/** Checks what the other arguments of a call make of its paths and addresses. */
function checkOthers(call: ReadCall, argument: ToolArgument, read: ReadValues): readonly DenialCheck[] {
  if (argument.kind === 'path') {
    const joined = joinedPaths(argument, call, textsOf(read))
    if (joined === undefined) return [deniedByAll('its other arguments may make too many paths of that')]
    return joined.map(({ name, path }) =>
      path === undefined ? unreadable(name) : withHint(denyPath(path, call.base, argument.reads === 'below'), name),
    )
  }
  if (argument.kind !== 'url') return []
  return joinedUrls(argument, call, textsOf(read)).flatMap(({ name, url, isAddress }) => {
    if (url === undefined) return [unreadable(name)]
    return isAddress || mayBeAddress(url) ? [withHint(denyUrl(url), name)] : []
  })
}

function unreadable(name: string): DenialCheck {
  return deniedByAll(`its argument ${quote(name)} cannot be read, so that rule may apply`)
}
