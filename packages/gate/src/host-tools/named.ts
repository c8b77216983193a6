import type { ToolRule } from '@repertoire/skill-md/internal'
import { foldTool, isSameTool, namesTool } from '../tool-name.ts'
import type { KnownTool, PossibleTool, Toolset } from './toolset.ts'

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
    rules.filter((rule) => namesTool(rule.tool, name) || (use !== undefined && means(rule.tool, use, tools))),
  )
}

function means(rule: string, use: string, tools: Toolset): boolean {
  if (namesTool(rule, use)) return true
  const { as } = tools.ruleTool(rule)
  return as !== undefined && isSameTool(as, use)
}

/** Whether rules of a list may mean some call of a tool, so that the tool need not be hidden. */
export function mayBePermitted(rules: readonly ToolRule[], tool: KnownTool, tools: Toolset): boolean {
  if (tool.by !== undefined && [...tool.by.uses.values()].some((use) => namesAll(rules, { ...tool, as: [use] }, tools)))
    return true
  return namesAll(rules, tool, tools)
}

function namesAll(rules: readonly ToolRule[], tool: Pick<KnownTool, 'name' | 'as'>, tools: Toolset): boolean {
  return rulesFor(rules, tool, tools).every((group) => group.length > 0)
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
  const isMeant = mayNameTool(rule, name) || as.some(mayMean) || others.includes(foldTool(name))
  return [...(isMeant ? [undefined] : []), ...maybe.filter((use) => mayMean(use.name))]
}

/**
 * Whether a rule that denies may mean a tool of a name. A `*` stands for any rest, further `__` included: here it is safer
 * to reach too far than not far enough.
 */
function mayNameTool(rule: string, tool: string): boolean {
  const star = rule.indexOf('*')
  return star < 0 ? isSameTool(rule, tool) : foldTool(tool).startsWith(foldTool(rule.slice(0, star)))
}
