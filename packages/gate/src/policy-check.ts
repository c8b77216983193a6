import { commands } from './load-commands.ts'
import type { ToolRule } from '@repertoire/skill-md/internal'
import { hostToolRules, isWholeTool, mayMeanTool } from './host-tools/named.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { type RuleList, allowsAll, ruleText } from './rules.ts'
import { MAX_COMPARED_RULES } from './limits.ts'
import { readPath } from './path.ts'
import type { Policy } from './policy.ts'
import { foldTool, namesTool } from './tool-name.ts'
import { liesWithin } from './within.ts'
import type { Refusal, RefusedBy } from './ports/gate.ts'
import { type Allowed, mismatchReason } from './allow/allow.ts'
import type { ReadCall } from './call.ts'
import type { DeniedBy } from './deny/deny.ts'

/** What a policy allows of one tool. */
interface EffectiveRule {
  /** By the name that the host knows it by. */
  readonly tool: string
  /** A call has to match all of them. None: every call is allowed. */
  readonly patterns: readonly string[]
}

/** An effective rule as a model reads it: `Bash(git log:*)`, or `Read(docs/**) and Read(*.md)`. */
function effectiveText({ tool, patterns }: EffectiveRule): string {
  return patterns.length === 0 ? tool : patterns.map((pattern) => ruleText({ tool, pattern })).join(' and ')
}

/**
 * The rules that all lists of a policy allow together, in the names of the host's tools, without those that it denies.
 * `Bash(git:*)` in one list and `Bash(git log:*)` in another give `Bash(git log:*)`. None: no list restricts, or nothing is left.
 */
function effectiveRules(
  { lists, denied = [] }: Pick<Policy, 'lists' | 'denied'>,
  tools: Toolset,
): readonly EffectiveRule[] {
  const [first, ...others] = lists.map((list) => rulesOf(list, tools))
  if (first === undefined) return []
  const joined = others.reduce((all, next) => meetAll(all, next, tools), first)
  const left = joined.filter((rule) => !denied.some(({ rules }) => rules.some((each) => denies(each, rule, tools))))
  return [...new Map(left.map((rule) => [effectiveText(rule), rule])).values()]
}

function meetAll(
  rules: readonly EffectiveRule[],
  others: readonly EffectiveRule[],
  tools: Toolset,
): readonly EffectiveRule[] {
  if (rules.length * others.length <= MAX_COMPARED_RULES) {
    return rules.flatMap((rule) => others.flatMap((other) => meet(rule, other, tools) ?? []))
  }
  // Too many to compare each with each: what the tools of both allow is at most this.
  const names = new Set(others.map(({ tool }) => foldTool(tool)))
  return rules.filter(({ tool }) => names.has(foldTool(tool)))
}

function rulesOf({ rules, onlyKnown }: RuleList, tools: Toolset): readonly EffectiveRule[] {
  return hostToolRules(rules, tools).flatMap((rule) => {
    const { tool, pattern } = rule
    const kind = tools.find(tool).argument?.kind
    // Under `programs: 'known'` a prefix rule for such a program permits nothing.
    if (onlyKnown === true && kind === 'shell' && pattern !== undefined && /[: ]\*$/.test(pattern)) {
      if (commands().riskOf(pattern) !== undefined) return []
    }
    return [{ tool, patterns: allowsAll(rule, kind) ? [] : [pattern!] }]
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
    if (kept.some((pattern) => shareNothing(pattern, next, tool, tools))) return undefined
    patterns = [...kept, next]
  }
  return { tool, patterns }
}

/** Whether no call can match two patterns of which none lies within the other. False where that is not certain. */
function shareNothing(pattern: string, other: string, tool: string, tools: Toolset): boolean {
  const kind = tools.find(tool).argument?.kind
  // Beginnings of commands, and hosts with all below them, overlap only where one lies within the other.
  if (kind === 'shell') return true
  if (kind === 'url') return [pattern, other].every((each) => each.startsWith('domain:'))
  if (kind === 'path') return beginDifferently(pattern, other)
  return ![pattern, other].some((each) => each.includes('*'))
}

function beginDifferently(pattern: string, other: string): boolean {
  const [one, two] = [readPath(pattern, false), readPath(other, false)]
  if ('problem' in one || 'problem' in two || one.root !== two.root) return false
  const [begin, others] = [beforeWildcards(one.parts), beforeWildcards(two.parts)]
  return begin.some((part, index) => index < others.length && part !== others[index])
}

function beforeWildcards(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex((part) => /[*?]/.test(part))
  return end < 0 ? parts : parts.slice(0, end)
}

function denies(denied: ToolRule, { tool, patterns }: EffectiveRule, tools: Toolset): boolean {
  return (
    mayMeanTool(denied, tools.find(tool), tools) &&
    (isWholeTool(denied) ||
      patterns.some((pattern) => liesWithin({ tool, pattern }, { tool, pattern: denied.pattern! }, tools)))
  )
}

/** Why a call is refused, and by whom. */
export interface GateRefusal extends Refusal {
  readonly code: 'TOOL_NOT_ALLOWED' | 'SCRIPT_READ_BLOCKED'
  readonly refusedBy: RefusedBy
}

/**
 * Returns the refusal of a policy; undefined if the policy allows the call. The host refuses before a skill does, and a
 * skill before those above it. If rules restrict what is allowed, the refusal has what they allow together.
 * @param findDenial compares the call with rules that deny
 * @param inForce what a refusal shows as allowed, if it is more than the policy
 */
export function policyRefusal(
  call: ReadCall,
  findDenial: (list: RuleList) => DeniedBy | undefined,
  policy: Policy,
  inForce = policy,
): GateRefusal | undefined {
  const { lists, denied = [] } = policy
  const findAllowed = (): Allowed => allowedBy(inForce, call)
  for (const list of denied) {
    const denial = findDenial(list)
    if (denial === undefined) continue
    const by = list.skill === undefined ? 'policy.deny' : 'disallowed-tools'
    const allowed = inForce.lists.length > 0 ? findAllowed().rules : undefined
    return refusal(list, denial.reason, allowed, { by, rule: ruleText(denial.rule) })
  }
  for (const list of lists) {
    const reason = mismatchReason(call, list, findAllowed)
    if (reason === undefined) continue
    const by = list.skill === undefined ? 'policy.allow' : 'allowed-tools'
    return refusal(list, reason, findAllowed().rules, { by })
  }
  return undefined
}

function allowedBy(policy: Policy, call: ReadCall): Allowed {
  const { tools } = call
  const effective = effectiveRules(policy, tools)
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
    allowedTools,
    refusedBy: { ...refusedBy, ...(skill !== undefined && { skill }) },
  }
}
