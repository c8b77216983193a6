import type { ToolRule } from '@repertoire/skill-md/internal'
import { deniedUses, deniesTool, hostRules, mayBePermitted } from './host-tools/named.ts'
import type { Toolset } from './host-tools/toolset.ts'
import type { RefusedBy } from './ports/gate.ts'
import { type RuleList, ruleText } from './rules.ts'

/** What is in force: a call must be allowed by every list, so that none widens what another allows. */
export interface Policy {
  /** Of those who restrict: the host's first, then the active skills', bottom first. None: everything is allowed. */
  readonly lists: readonly RuleList[]
  /** What they deny, in the same order: no such call is allowed, whatever the lists say. */
  readonly denied?: readonly RuleList[] | undefined
  /** What somebody is asked about, each time: the host's alone. */
  readonly asked?: readonly RuleList[] | undefined
}

/** Whether a policy is about no call at all. */
export function saysNothing({ lists, denied, asked }: Policy): boolean {
  return [lists, denied, asked].every((each) => each === undefined || each.length === 0)
}

/** Joins two policies to one that allows only what each of them allows. */
export function joinPolicies(first: Policy, second: Policy): Policy {
  const denied = [...(first.denied ?? []), ...(second.denied ?? [])]
  const asked = [...(first.asked ?? []), ...(second.asked ?? [])]
  return {
    lists: [...first.lists, ...second.lists],
    ...(denied.length > 0 && { denied }),
    ...(asked.length > 0 && { asked }),
  }
}

/** Rules of a policy that mean none of the host's tools, as they are written. */
interface UnmatchedPolicy {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly ask: readonly string[]
}

/** Returns the rules of a policy that mean none of the host's tools. None, where its tools are not known. */
export function unmatchedPolicy({ lists, denied = [], asked = [] }: Policy, tools: Toolset): UnmatchedPolicy {
  const known = tools.names?.map((name) => tools.find(name))
  const meansNone = (rule: ToolRule): boolean =>
    known?.every((tool) => deniedUses(rule.tool, tool, tools).length === 0) === true
  const meaningless = (all: readonly RuleList[]): readonly string[] => [
    ...new Set(all.flatMap(({ rules }) => rules.filter(meansNone).map(ruleText))),
  ]
  return {
    allow: [...new Set(lists.flatMap(({ rules }) => hostRules(rules, tools).unmatched))],
    deny: meaningless(denied),
    ask: meaningless(asked),
  }
}

/**
 * Whether some call of a tool could be allowed: no rule denies it as a whole, and every list has rules for it. For hiding
 * a tool; it grants nothing.
 */
export function mayUse(policy: Policy, tool: string, tools: Toolset): boolean {
  return withheldBy(policy, tool, tools) === undefined
}

/** Returns what keeps every call of a tool from being allowed; undefined: some could be. */
export function withheldBy({ lists, denied = [] }: Policy, tool: string, tools: Toolset): RefusedBy | undefined {
  const known = tools.find(tool)
  for (const { skill, rules } of denied) {
    const rule = rules.find((each) => deniesTool(each, known, tools))
    if (rule === undefined) continue
    const denial = { by: skill === undefined ? 'policy.deny' : 'disallowed-tools', rule: ruleText(rule) } as const
    return { ...denial, ...(skill !== undefined && { skill }) }
  }
  const list = lists.find(({ rules }) => !mayBePermitted(rules, known, tools))
  if (list === undefined) return undefined
  return list.skill === undefined ? { by: 'policy.allow' } : { by: 'allowed-tools', skill: list.skill }
}
