import type { ToolRule } from '@repertoire/skill-md/internal'
import { foldTool, namesTool } from '../tool-name.ts'
import type { KnownTool, Toolset } from './toolset.ts'
import { ruleText } from '../rules.ts'

/** The rules of a list that certainly mean a tool: by its own name, or by the tool it is mapped to. */
export function rulesFor(
  rules: readonly ToolRule[],
  { name, as }: Pick<KnownTool, 'name' | 'as'>,
  tools: Toolset,
): readonly ToolRule[] {
  return rules.filter(({ tool }) => {
    if (namesTool(tool, name)) return true
    return as !== undefined && (namesTool(tool, as) || tools.ruleTool(tool).as === as)
  })
}

export function mayBePermitted(rules: readonly ToolRule[], tool: KnownTool, tools: Toolset): boolean {
  const uses = [tool.as, ...(tool.by?.uses.values() ?? [])]
  return uses.some((as) => rulesFor(rules, { ...tool, as }, tools).length > 0)
}

/**
 * Whether a rule that denies may mean a tool: by any name that either may go by. A `*` stands for any rest, further
 * `__` included: here it is safer to reach too far than not far enough.
 */
export function mayMeanTool(
  rule: string,
  { name, as, maybe }: Pick<KnownTool, 'name' | 'as' | 'maybe'>,
  tools: Toolset,
): boolean {
  const names = [name, ...(as === undefined ? [] : [as]), ...maybe].map(foldTool)
  const star = rule.indexOf('*')
  if (star >= 0) return names.some((each) => each.startsWith(foldTool(rule.slice(0, star))))
  const meaning = tools.ruleTool(rule)
  return [rule, meaning.as ?? [], ...meaning.maybe].flat().some((each) => names.includes(foldTool(each)))
}

/** Patterns that mean every call of a tool, of whatever kind. */
const EVERY_CALL = /^(?:\*\*?|:\*|\*\*\/\*)$/

export function isWholeTool({ pattern }: ToolRule): boolean {
  return pattern === undefined || EVERY_CALL.test(pattern)
}

export function deniesTool(rule: ToolRule, tool: KnownTool, tools: Toolset): boolean {
  const maybe = tool.maybeArgument === undefined ? tool.maybe : []
  return isWholeTool(rule) && mayMeanTool(rule.tool, { ...tool, maybe }, tools)
}

/** Returns rules in the names of the host's tools, the tools that they mean, and the rules that mean none. */
export function hostRules(
  rules: readonly ToolRule[],
  tools: Toolset,
): Readonly<Record<'rules' | 'matched' | 'unmatched', readonly string[]>> {
  const meanings = rules.map((rule) => ({ rule, meant: meantBy(rule, tools) }))
  const unmatched = tools.names === undefined ? [] : meanings.filter(({ meant }) => meant.length === 0)
  return {
    rules: distinct(hostToolRules(rules, tools).map(ruleText)),
    matched: distinct(meanings.flatMap(({ meant }) => meant)),
    unmatched: distinct(unmatched.map(({ rule }) => ruleText(rule))),
  }
}

/** Returns rules in the names of the host's tools; those that mean none of them, or a whole server, as they are. */
export function hostToolRules(rules: readonly ToolRule[], tools: Toolset): readonly ToolRule[] {
  return rules.flatMap((rule) => {
    const meant = rule.tool.includes('*') ? [] : meantBy(rule, tools)
    return meant.length === 0 ? [rule] : meant.map((tool) => ({ ...rule, tool }))
  })
}

function meantBy(rule: ToolRule, tools: Toolset): readonly string[] {
  return (tools.names ?? []).filter((name) => mayBePermitted([rule], tools.find(name), tools))
}

export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
