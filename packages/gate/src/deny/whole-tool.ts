import type { ToolRule } from '@repertoire/skill-md/internal'
import { deniedUses } from '../host-tools/named.ts'
import type { KnownTool, Toolset } from '../host-tools/toolset.ts'

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
