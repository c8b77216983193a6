import type { ToolRule } from '@repertoire/skill-md/internal'
import { hostToolRules, isWholeTool, mayMeanTool } from './host-tools/named.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { type RuleList, allowsAll, ruleText } from './rules.ts'
import { MAX_COMPARED_RULES } from './limits.ts'
import type { Policy } from './policy.ts'
import { namesTool } from './tool-name.ts'
import { liesWithin } from './within.ts'
import type { RefusedBy } from './ports/gate.ts'
import { type Allowed, mismatchReason } from './allow.ts'
import type { ReadCall } from './call.ts'
import type { DeniedBy } from './deny.ts'

interface EffectiveRule {
  readonly tool: string
  readonly patterns: readonly string[]
}

/** An effective rule as a model reads it: `Bash(git log:*)`, or `Read(docs/**) and Read(*.md)`. */
function effectiveText({ tool, patterns }: EffectiveRule): string {
  return patterns.length === 0 ? tool : patterns.map((pattern) => ruleText({ tool, pattern })).join(' and ')
}

/**
 * The rules that all lists of a policy allow together, by the host's names, without those that it denies. `Bash(git:*)`
 * and `Bash(git log:*)` give `Bash(git log:*)`. None: no list restricts, or nothing is left.
 */
function effectiveRules({ lists, denied }: Policy, tools: Toolset): readonly EffectiveRule[] {
  const [first, ...others] = lists.map((list) => rulesOf(list, tools))
  if (first === undefined) return []
  const joined = others.reduce(
    (all, next) =>
      all.flatMap((rule) => next.flatMap((other) => meet(rule, other, tools) ?? [])).slice(0, MAX_COMPARED_RULES),
    first,
  )
  const left = joined.filter((rule) => !denied.some(({ rules }) => rules.some((each) => denies(each, rule, tools))))
  return [...new Map(left.map((rule) => [effectiveText(rule), rule])).values()]
}

function rulesOf({ rules }: RuleList, tools: Toolset): readonly EffectiveRule[] {
  return hostToolRules(rules.slice(0, MAX_COMPARED_RULES), tools).map((rule) => {
    const { tool, pattern } = rule
    return { tool, patterns: allowsAll(rule, tools.find(tool).argument?.kind) ? [] : [pattern!] }
  })
}

/** What two rules allow together; undefined: nothing. */
function meet(rule: EffectiveRule, other: EffectiveRule, tools: Toolset): EffectiveRule | undefined {
  // A rule for a whole server covers each of its tools.
  const [tool] = [
    ...(namesTool(rule.tool, other.tool) ? [other.tool] : []),
    ...(namesTool(other.tool, rule.tool) ? [rule.tool] : []),
  ]
  if (tool === undefined) return undefined
  let patterns = rule.patterns
  for (const next of other.patterns) {
    const isWithin = (pattern: string, bounds: string): boolean =>
      liesWithin({ tool, pattern }, { tool, pattern: bounds }, tools)
    if (patterns.some((pattern) => isWithin(pattern, next))) continue
    const kept = patterns.filter((pattern) => !isWithin(next, pattern))
    // Two patterns, neither within the other, share calls only if one begins with anything.
    if (kept.some((pattern) => ![pattern, next].some((each) => each.startsWith('*')))) return undefined
    patterns = [...kept, next]
  }
  return { tool, patterns }
}

function denies(denied: ToolRule, { tool, patterns }: EffectiveRule, tools: Toolset): boolean {
  if (!mayMeanTool(denied.tool, tools.find(tool), tools)) return false
  const bounds = { tool, pattern: denied.pattern! }
  return isWholeTool(denied) || patterns.some((pattern) => liesWithin({ tool, pattern }, bounds, tools))
}

/** Why a call is refused, and by whom. */
export interface GateRefusal {
  readonly code: 'TOOL_NOT_ALLOWED' | 'SCRIPT_READ_BLOCKED'
  /** For the model. */
  readonly reason: string
  /** With `TOOL_NOT_ALLOWED`: what all lists allow together, by the host's names. Absent: none restricts it. */
  readonly allowedTools?: readonly string[] | undefined
  readonly refusedBy: RefusedBy
}

/**
 * Returns the refusal of a policy; undefined if the policy allows the call. The host refuses before a skill does, and a
 * skill before those above it.
 * @param findDenial compares the call with rules that deny
 * @param inForce what a refusal shows as allowed, if it is more than the policy
 */
export function policyRefusal(
  call: ReadCall,
  findDenial: (list: RuleList) => DeniedBy | undefined,
  policy: Policy,
  inForce = policy,
): GateRefusal | undefined {
  const { lists, denied } = policy
  const findAllowed = (): Allowed => allowedBy(inForce, call)
  for (const list of denied) {
    const denial = findDenial(list)
    if (denial === undefined) continue
    const by = list.skill === undefined ? 'policy.deny' : 'disallowed-tools'
    const allowedTools = inForce.lists.length > 0 ? findAllowed().rules : undefined
    const refusedBy = { by, rule: ruleText(denial.rule), skill: list.skill } as const
    return { code: 'TOOL_NOT_ALLOWED', reason: denial.reason, allowedTools, refusedBy }
  }
  for (const list of lists) {
    const reason = mismatchReason(call, list, findAllowed)
    if (reason === undefined) continue
    const by = list.skill === undefined ? 'policy.allow' : 'allowed-tools'
    const refusedBy = { by, skill: list.skill } as const
    return { code: 'TOOL_NOT_ALLOWED', reason, allowedTools: findAllowed().rules, refusedBy }
  }
  return undefined
}

function allowedBy(policy: Policy, call: ReadCall): Allowed {
  const effective = effectiveRules(policy, call.tools)
  const ofTool = effective.filter(({ tool }) => namesTool(tool, call.tool))
  return {
    rules: effective.map(effectiveText),
    ofTool: ofTool.map((rule) => effectiveText({ ...rule, tool: call.tool })),
  }
}
