import type { Refusal } from '../ports/outcome.ts'
import { createAllowCheck } from './allow/allow.ts'
import type { ReadCall } from './call.ts'
import { createDenyCheck, mayNameTool } from './deny/deny.ts'
import type { Policy } from './policy.ts'
import { type RuleList, ruleText } from './rules.ts'
import { namesTool } from './tool-name.ts'

/** Why a call is refused, and by whom. */
export interface GateRefusal extends Refusal {
  readonly code: 'TOOL_NOT_ALLOWED' | 'SCRIPT_READ_BLOCKED'
  /** The skill that refuses. Absent: the host does. */
  readonly skill?: string
}

/**
 * Returns a function that gives the refusal of a policy; undefined where the policy allows the call. The host refuses
 * before a skill does, and a skill before those above it. Where rules do not allow the call, the refusal has all of them.
 */
export function createPolicyCheck(call: ReadCall): (policy: Policy) => GateRefusal | undefined {
  const findDenial = createDenyCheck(call)
  const findMismatch = createAllowCheck(call)
  return ({ lists, denied = [] }) => {
    for (const list of denied) {
      const reason = findDenial(list)
      if (reason !== undefined) return { code: 'TOOL_NOT_ALLOWED', reason, ...ownerOf(list) }
    }
    for (const list of lists) {
      const reason = findMismatch(list)
      if (reason === undefined) continue
      return { code: 'TOOL_NOT_ALLOWED', reason, allowedTools: list.rules.map(ruleText), ...ownerOf(list) }
    }
    return undefined
  }
}

/** Whether a call of a tool is compared by its arguments: a rule with a pattern is about the tool. */
export function comparesArguments({ lists, denied = [] }: Policy, tool: string): boolean {
  return (
    lists.some(({ rules }) => rules.some((rule) => hasPattern(rule.pattern) && namesTool(rule.tool, tool))) ||
    denied.some(({ rules }) => rules.some((rule) => hasPattern(rule.pattern) && mayNameTool(rule.tool, tool)))
  )
}

function hasPattern(pattern: string | undefined): boolean {
  return pattern !== undefined && pattern !== '*'
}

function ownerOf({ skill }: RuleList): { readonly skill?: string } {
  return skill === undefined ? {} : { skill }
}
