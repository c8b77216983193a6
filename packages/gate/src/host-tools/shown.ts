import type { ToolRule } from '@repertoire/skill-md/internal'
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
  const meanings = meaningsOf(rules, tools)
  const isKnown = tools.names !== undefined
  return {
    rules: distinct(meanings.flatMap(inHostNames).map(ruleText)),
    matched: isKnown ? distinct(meanings.flatMap(({ meant }) => meant)) : [],
    unmatched: isKnown
      ? distinct(meanings.flatMap(({ rule, meant }) => (meant.length === 0 ? [ruleText(rule)] : [])))
      : [],
  }
}

/** Returns rules in the names of the host's tools; those that mean none of them as they are. */
export function hostToolRules(rules: readonly ToolRule[], tools: Toolset): readonly ToolRule[] {
  return meaningsOf(rules, tools).flatMap(inHostNames)
}

interface Meaning {
  readonly rule: ToolRule
  /** The host's tools that it means. Empty where its tools are not known. */
  readonly meant: readonly string[]
}

function meaningsOf(rules: readonly ToolRule[], tools: Toolset): readonly Meaning[] {
  const namesOf = new Map<string, readonly string[]>()
  return rules.map((rule) => {
    let meant = namesOf.get(rule.tool)
    if (meant === undefined) {
      namesOf.set(rule.tool, (meant = (tools.names ?? []).filter((name) => isMeant(name, rule, rules, tools))))
    }
    return { rule, meant }
  })
}

function inHostNames({ rule, meant }: Meaning): readonly ToolRule[] {
  // A whole server stays one rule.
  return meant.length === 0 || rule.tool.includes('*') ? [rule] : meant.map((tool) => ({ ...rule, tool }))
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
