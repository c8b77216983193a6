import type { ToolRule } from '../../ports/manifest.ts'
import { ruleText } from '../rules.ts'
import { mayBePermitted } from './named.ts'
import type { Toolset } from './toolset.ts'

/** Rules in the names of a host's tools. */
export interface HostRules {
  /** Each rule under the names of the tools that it means; as it is written where it means none, or none is known. */
  readonly rules: readonly string[]
  /** The host's tools that some rule means. Empty where its tools are not known. */
  readonly matched: readonly string[]
  /** Rules that mean none of the host's tools, as they are written. Empty where its tools are not known. */
  readonly unmatched: readonly string[]
}

/** Returns rules as people and models read them: in the names of the host's tools. */
export function hostRules(rules: readonly ToolRule[], tools: Toolset): HostRules {
  const { names } = tools
  if (names === undefined) return { rules: distinct(rules.map(ruleText)), matched: [], unmatched: [] }
  const namesOf = new Map<string, readonly string[]>()
  const unmatched: string[] = []
  const shown = rules.flatMap((rule) => {
    let meant = namesOf.get(rule.tool)
    if (meant === undefined) namesOf.set(rule.tool, (meant = names.filter((name) => isMeant(name, rule, rules, tools))))
    if (meant.length === 0) unmatched.push(ruleText(rule))
    // A whole server stays one rule.
    if (meant.length === 0 || rule.tool.includes('*')) return [ruleText(rule)]
    return meant.map((tool) => ruleText({ ...rule, tool }))
  })
  return { rules: distinct(shown), matched: distinct([...namesOf.values()].flat()), unmatched: distinct(unmatched) }
}

function isMeant(name: string, rule: ToolRule, rules: readonly ToolRule[], tools: Toolset): boolean {
  const tool = tools.find(name)
  if (tool.as.length < 2) return mayBePermitted([rule], tool, tools)
  // Of what stands for several tools, one rule is a part.
  return (
    tool.as.some((use) => mayBePermitted([rule], { ...tool, as: [use] }, tools)) && mayBePermitted(rules, tool, tools)
  )
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
