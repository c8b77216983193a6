import type { Refusal, RefusedBy } from './ports/outcome.ts'
import { type Allowed, createAllowCheck } from './allow/allow.ts'
import type { ReadCall } from './call.ts'
import { createDenyCheck } from './deny/deny.ts'
import { effectiveRules, effectiveText } from './effective.ts'
import type { Policy } from './policy.ts'
import { type RuleList, ruleText } from './rules.ts'
import { namesTool } from './tool-name.ts'

/** Why a call is refused, and by whom. */
export interface GateRefusal extends Refusal {
  readonly code: 'TOOL_NOT_ALLOWED' | 'SCRIPT_READ_BLOCKED'
  readonly refusedBy: RefusedBy
}

/**
 * Returns a function that gives the refusal of a policy; undefined where the policy allows the call. The host refuses
 * before a skill does, and a skill before those above it. If rules restrict what is allowed, the refusal has what they
 * allow together.
 * @param real the same call in the real file system, where its tool sees another: rules that deny hold for both
 */
export function createPolicyCheck(
  call: ReadCall,
  real?: ReadCall,
): (policy: Policy, inForce?: Policy) => GateRefusal | undefined {
  const findDenial = createDenyCheck(call)
  const findRealDenial = real && createDenyCheck(real)
  const findMismatch = createAllowCheck(call)
  /** @param inForce what a refusal shows as allowed, if it is more than the policy */
  return (policy, inForce = policy) => {
    const { lists, denied = [] } = policy
    const findAllowed = (): Allowed => allowedBy(inForce, call)
    for (const list of denied) {
      const denial = findDenial(list) ?? findRealDenial?.(list)
      if (denial === undefined) continue
      const by = list.skill === undefined ? 'policy.deny' : 'disallowed-tools'
      return refusal(list, denial.reason, inForce.lists.length > 0 ? findAllowed().rules : undefined, {
        by,
        rule: ruleText(denial.rule),
      })
    }
    for (const list of lists) {
      const reason = findMismatch(list, findAllowed)
      if (reason === undefined) continue
      const by = list.skill === undefined ? 'policy.allow' : 'allowed-tools'
      return refusal(list, reason, findAllowed().rules, { by })
    }
    return undefined
  }
}

function allowedBy(policy: Policy, call: ReadCall): Allowed {
  const { tools } = call
  const effective = effectiveRules(policy, tools) ?? []
  const ofTool = effective.filter(({ tool }) => namesTool(tool, call.tool))
  return {
    rules: effective.map(effectiveText),
    ofTool: ofTool.map((rule) => effectiveText({ ...rule, tool: call.tool })),
  }
}

function refusal(
  { skill }: RuleList,
  reason: string,
  allowedTools: readonly string[] | undefined,
  refusedBy: RefusedBy,
): GateRefusal {
  return {
    code: 'TOOL_NOT_ALLOWED',
    reason,
    ...(allowedTools !== undefined && { allowedTools }),
    refusedBy: { ...refusedBy, ...(skill !== undefined && { skill }) },
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
