import type { ToolRule } from '../ports/manifest.ts'
import type { Refusal } from '../ports/outcome.ts'
import { createAllowCheck } from './allow/allow.ts'
import type { ReadCall } from './call.ts'
import { createDenyCheck } from './deny/deny.ts'
import { deniedUses, rulesFor } from './host-tools/named.ts'
import { hostRules } from './host-tools/shown.ts'
import type { KnownTool, Toolset } from './host-tools/toolset.ts'
import type { Policy } from './policy.ts'
import { type RuleList, ruleText } from './rules.ts'

/** Why a call is refused, and by whom. */
export interface GateRefusal extends Refusal {
  readonly code: 'TOOL_NOT_ALLOWED' | 'SCRIPT_READ_BLOCKED'
  /** The skill that refuses. Absent: the host does. */
  readonly skill?: string
}

/**
 * Returns a function that gives the refusal of a policy; undefined where the policy allows the call. The host refuses
 * before a skill does, and a skill before those above it. Where rules do not allow the call, the refusal has all of them.
 * @param real the same call in the real file system, where its tool sees another: rules that deny hold for both
 */
export function createPolicyCheck(call: ReadCall, real?: ReadCall): (policy: Policy) => GateRefusal | undefined {
  const findDenial = createDenyCheck(call)
  const findRealDenial = real && createDenyCheck(real)
  const findMismatch = createAllowCheck(call)
  return ({ lists, denied = [] }) => {
    for (const list of denied) {
      const reason = findDenial(list) ?? findRealDenial?.(list)
      if (reason !== undefined) return { code: 'TOOL_NOT_ALLOWED', reason, ...ownerOf(list) }
    }
    for (const list of lists) {
      const reason = findMismatch(list)
      if (reason === undefined) continue
      return {
        code: 'TOOL_NOT_ALLOWED',
        reason,
        allowedTools: hostRules(list.rules, call.tools).rules,
        ...ownerOf(list),
      }
    }
    return undefined
  }
}

/**
 * Returns a function that gives the rule of a policy by which somebody is asked about a call, as it is written; undefined
 * where none is about it. Read as rules that deny are: a call that cannot be judged is asked about.
 * @param real the same call in the real file system, where its tool sees another
 */
export function createAskCheck(call: ReadCall, real?: ReadCall): (policy: Policy) => string | undefined {
  const findMatch = createDenyCheck(call)
  const findRealMatch = real && createDenyCheck(real)
  return ({ asked = [] }) => {
    for (const rule of asked.flatMap(({ rules }) => rules)) {
      const alone = { rules: [rule] }
      if ((findMatch(alone) ?? findRealMatch?.(alone)) !== undefined) return ruleText(rule)
    }
    return undefined
  }
}

/** What of a call tells whether rules are about it. */
type NamedCall = Pick<KnownTool, 'name' | 'as' | 'maybe'>

/** Whether a call of a tool is compared by its arguments: a rule with a pattern is about the tool. */
export function comparesArguments(
  { lists, denied = [], asked = [] }: Policy,
  call: NamedCall,
  tools: Toolset,
): boolean {
  return (
    lists.some(({ rules, onlyKnown }) =>
      rulesFor(rules, call, tools).some((group) => group.some((rule) => onlyKnown === true || hasPattern(rule))),
    ) ||
    [...denied, ...asked].some(({ rules }) =>
      rules.some((rule) => hasPattern(rule) && deniedUses(rule.tool, call, tools).length > 0),
    )
  )
}

function hasPattern({ pattern }: ToolRule): boolean {
  return pattern !== undefined && pattern !== '*'
}

function ownerOf({ skill }: RuleList): { readonly skill?: string } {
  return skill === undefined ? {} : { skill }
}
