import { type ToolRule, quote, showInvisible, shown } from '@repertoire/skill-md/internal'
import { coversAnyCommand } from './command/rule.ts'
import { MAX_LISTED_RULES } from './limits.ts'
import type { ToolArgument } from './ports/tool.ts'

/** The rules of one active skill, or of the host. An empty list allows nothing. */
export interface RuleList {
  readonly skill?: string
  readonly rules: readonly ToolRule[]
  readonly folder?: SkillFolder
  readonly assumed?: true
}

/** A rule as it is written in `allowed-tools`. */
export function ruleText({ tool, pattern }: ToolRule): string {
  return showInvisible(pattern === undefined ? tool : `${tool}(${pattern})`)
}

/** Whether a rule allows every call of its tool. For paths, `Tool(*)` does not: it is every file of that folder. */
export function allowsAll({ pattern }: ToolRule, kind: ToolArgument['kind'] | undefined): boolean {
  return (
    pattern === undefined || (pattern === '*' && kind !== 'path') || (kind === 'shell' && coversAnyCommand(pattern))
  )
}

/** Rules or names for a sentence: the first twenty, each once, and how many more there are. */
export function listRules(rules: readonly string[]): string {
  const names = [...new Set(rules)]
  const rest = names.length - MAX_LISTED_RULES
  return [...names.slice(0, MAX_LISTED_RULES).map(shown), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}

/** When a list is in force and whose it is, as parts of a sentence. */
export function scopeOf({ skill, assumed }: RuleList): { readonly when: string; readonly who: string } {
  if (skill === undefined) return { when: 'here', who: "the host's policy" }
  const who = assumed === true ? 'it names no tools, and the host then' : 'it'
  return { when: `while the skill ${quote(skill)} is active`, who }
}

export interface SkillFolder {
  readonly paths: readonly string[]
  readonly scripts: readonly string[]
}
