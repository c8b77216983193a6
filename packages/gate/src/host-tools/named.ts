import type { ToolRule } from '@repertoire/skill-md/internal'
import { foldTool, isSameTool, namesTool } from '../tool-name.ts'
import type { KnownTool, PossibleTool, Toolset } from './toolset.ts'
import { ruleText } from '../rules.ts'

/**
 * The rules of a list that certainly mean a tool: by its own name, or by what it stands for. One group for each of the
 * tools that it stands for; a call needs a rule of every group.
 */
export function rulesFor(
  rules: readonly ToolRule[],
  { name, as }: Pick<KnownTool, 'name' | 'as'>,
  tools: Toolset,
): readonly (readonly ToolRule[])[] {
  const groups = as.length === 0 ? [undefined] : as
  return groups.map((use) =>
    rules.filter((rule) => namesTool(rule.tool, name) || (use !== undefined && namesUse(rule.tool, use, tools))),
  )
}

function namesUse(rule: string, use: string, tools: Toolset): boolean {
  if (namesTool(rule, use)) return true
  const { as } = tools.ruleTool(rule)
  return as !== undefined && isSameTool(as, use)
}

/** Whether rules of a list may mean some call of a tool, so that the tool need not be hidden. */
export function mayBePermitted(rules: readonly ToolRule[], tool: KnownTool, tools: Toolset): boolean {
  const uses = [tool.as, ...Array.from(tool.by?.uses.values() ?? [], (use) => [use])]
  return uses.some((as) => rulesFor(rules, { ...tool, as }, tools).every((group) => group.length > 0))
}

/** What a rule that denies takes a tool for: itself or what it stands for (`undefined`), or something that it may be. */
export function deniedUses(
  rule: string,
  { name, as, maybe }: Pick<KnownTool, 'name' | 'as' | 'maybe'>,
  tools: Toolset,
): readonly (PossibleTool | undefined)[] {
  const meaning = tools.ruleTool(rule)
  const others = [...(meaning.as === undefined ? [] : [meaning.as]), ...meaning.maybe].map(foldTool)
  const mayMean = (tool: string): boolean => mayNameTool(rule, tool) || others.includes(foldTool(tool))
  const meansTool = mayNameTool(rule, name) || as.some(mayMean) || others.includes(foldTool(name))
  return [...(meansTool ? [undefined] : []), ...maybe.filter((use) => mayMean(use.name))]
}

/**
 * Whether a rule that denies may mean a tool of a name. A `*` stands for any rest, further `__` included: here it is safer
 * to reach too far than not far enough.
 */
function mayNameTool(rule: string, tool: string): boolean {
  const star = rule.indexOf('*')
  return star < 0 ? isSameTool(rule, tool) : foldTool(tool).startsWith(foldTool(rule.slice(0, star)))
}

/** Patterns that mean every call of a tool, of whatever kind. */
const EVERY_CALL = /^(?:\*\*?|:\*|\*\*\/\*)$/

/** Whether a rule denies a tool as a whole, so that no call of it passes. */
export function deniesTool(rule: ToolRule, tool: KnownTool, tools: Toolset): boolean {
  return isWholeTool(rule) && mayMeanTool(rule, tool, tools)
}

/** Whether a rule that denies may mean a tool, whatever it is called with. */
export function mayMeanTool(rule: ToolRule, tool: KnownTool, tools: Toolset): boolean {
  const maybe = tool.maybe.filter(({ ifGiven }) => ifGiven !== true)
  return deniedUses(rule.tool, { ...tool, maybe }, tools).length > 0
}

/** Whether a rule means every call of its tool. */
export function isWholeTool({ pattern }: ToolRule): boolean {
  return pattern === undefined || EVERY_CALL.test(pattern)
}

/** Rules in the names of a host's tools, the tools that they mean, and the rules that mean none. */
interface HostRules {
  readonly rules: readonly string[]
  readonly matched: readonly string[]
  readonly unmatched: readonly string[]
}

/** Returns rules as people and models read them: in the names of the host's tools. */
export function hostRules(rules: readonly ToolRule[], tools: Toolset): HostRules {
  const meanings = rules.map((rule) => ({ rule, meant: meantBy(rule, rules, tools) }))
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
    const meant = rule.tool.includes('*') ? [] : meantBy(rule, rules, tools)
    return meant.length === 0 ? [rule] : meant.map((tool) => ({ ...rule, tool }))
  })
}

function meantBy(rule: ToolRule, rules: readonly ToolRule[], tools: Toolset): readonly string[] {
  return (tools.names ?? []).filter((name) => {
    const tool = tools.find(name)
    if (tool.as.length < 2) return mayBePermitted([rule], tool, tools)
    // Of what stands for several tools, one rule is a part.
    const isPart = tool.as.some((use) => mayBePermitted([rule], { ...tool, as: [use] }, tools))
    return isPart && mayBePermitted(rules, tool, tools)
  })
}

export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
