import type { ToolRule } from '@repertoire/skill-md/internal'
import { deniesTool, distinct, hostRules, mayBePermitted, mayMeanTool } from './host-tools/named.ts'
import type { Toolset } from './host-tools/toolset.ts'
import type { RefusedBy } from './ports/gate.ts'
import { describeRules } from './rule-texts.ts'
import { type RuleList, ruleText } from './rules.ts'

/** What is in force: a call must be allowed by every list, so that none widens what another allows. */
export interface Policy {
  readonly lists: readonly RuleList[]
  readonly denied: readonly RuleList[]
  readonly asked: readonly RuleList[]
}

export const NO_POLICY: Policy = { lists: [], denied: [], asked: [] }

export function saysNothing({ lists, denied, asked }: Policy): boolean {
  return lists.length + denied.length + asked.length === 0
}

/** Joins two policies to one that allows only what each of them allows. */
export function joinPolicies(first: Policy, second: Policy): Policy {
  return {
    lists: [...first.lists, ...second.lists],
    denied: [...first.denied, ...second.denied],
    asked: [...first.asked, ...second.asked],
  }
}

/** Returns the rules of a policy that mean no tool of the host's, or permit nothing. None, if it is not known. */
export function unmatchedPolicy(
  { lists, denied, asked }: Policy,
  tools: Toolset,
): Readonly<Record<'allow' | 'deny' | 'ask', readonly string[]>> {
  const known = tools.names?.map((name) => tools.find(name))
  const meansNone = (rule: ToolRule): boolean => known?.some((tool) => mayMeanTool(rule.tool, tool, tools)) === false
  const meaningless = (all: readonly RuleList[]): readonly string[] =>
    distinct(all.flatMap(({ rules }) => rules.filter(meansNone).map(ruleText)))
  const allow = lists.flatMap(({ rules }) => [
    ...hostRules(rules, tools).unmatched,
    ...describeRules(rules, tools).noEffect.map(({ rule }) => rule),
  ])
  return { allow: distinct(allow), deny: meaningless(denied), ask: meaningless(asked) }
}

/** Whether some call of a tool could be allowed. For hiding a tool; it grants nothing. */
export function mayUse(policy: Policy, tool: string, tools: Toolset): boolean {
  return withheldBy(policy, tool, tools) === undefined
}

/** Returns what keeps every call of a tool from being allowed; undefined: some could be. */
export function withheldBy({ lists, denied }: Policy, tool: string, tools: Toolset): RefusedBy | undefined {
  const known = tools.find(tool)
  for (const { skill, rules } of denied) {
    const rule = rules.find((each) => deniesTool(each, known, tools))
    if (rule === undefined) continue
    return { by: skill === undefined ? 'policy.deny' : 'disallowed-tools', rule: ruleText(rule), skill }
  }
  const list = lists.find(({ rules }) => !mayBePermitted(rules, known, tools))
  if (list === undefined) return undefined
  return list.skill === undefined ? { by: 'policy.allow' } : { by: 'allowed-tools', skill: list.skill }
}
