import { NO_POLICY } from '../src/internal.ts'
import type { CallContext } from '../src/call.ts'
import type { Policy } from '../src/internal.ts'
import type { ToolRule } from '@repertoire/skill-md/internal'
import { permits, type PolicyVerdict } from './permits.ts'
import { toolset } from './toolset.ts'

export const CONTEXT: CallContext = {
  tools: toolset({ Deploy: { argument: 'target', kind: 'text' } }),
  cwd: '/project',
}

/** `Bash(git:*)` as the manifest's reader gives it. */
export function rule(text: string): ToolRule {
  const open = text.indexOf('(')
  return open < 0 ? { tool: text } : { tool: text.slice(0, open), pattern: text.slice(open + 1, -1) }
}

/** A policy of one skill, or of several. */
export function policy(...lists: string[][]): Policy {
  return { ...NO_POLICY, lists: lists.map((rules, index) => ({ skill: `skill-${index}`, rules: rules.map(rule) })) }
}

export function judge(
  rules: string[] | Policy,
  tool: string,
  input: unknown = {},
  context = CONTEXT,
): Promise<PolicyVerdict> {
  return permits(Array.isArray(rules) ? policy(rules) : rules, { tool, input }, context)
}

export async function allows(rules: string[] | Policy, tool: string, input?: unknown): Promise<boolean> {
  return (await judge(rules, tool, input)).allowed
}

export function bash(rules: string[], command: unknown): Promise<boolean> {
  return allows(rules, 'Bash', { command })
}

export async function reason(rules: string[] | Policy, tool: string, input?: unknown): Promise<string> {
  const verdict = await judge(rules, tool, input)
  return verdict.allowed ? 'allowed' : verdict.reason
}
