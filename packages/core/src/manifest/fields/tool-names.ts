import { parseAllowedTools } from './allowed-tools.ts'
import { readText } from '../yaml/tree.ts'
import type { YamlMap, YamlNode } from '../yaml/tree.ts'

/** The tools of Claude Code, by the names that published skills use in `allowed-tools`. */
export const FOREIGN_TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
    'Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/**
 * `tools: Read, Grep` restricts a sub-agent of Claude Code, and some authors write it in a skill. In other skills the
 * field names clients or capabilities, so only a value that names nothing but tools of Claude Code is taken for rules.
 */
export function findForeignRules(key: string, value: YamlNode, { entries }: YamlMap): string | undefined {
  if (key !== 'tools' || entries.some((entry) => entry.key === 'allowed-tools')) return undefined
  return namesHostTools(value) ? 'allowed-tools' : undefined
}

/** Whether a value is a list of rules that name only tools of Claude Code, in exactly its spelling, or of MCP servers. */
function namesHostTools(node: YamlNode): boolean {
  const texts = node.kind === 'list' ? node.items.map(readText) : [readText(node)]
  const known = texts.filter((text) => text !== undefined)
  if (known.length < texts.length) return false
  const result = parseAllowedTools(node.kind === 'list' ? known : known.join(' '))
  return (
    result.ok &&
    result.rules.length > 0 &&
    result.rules.every(({ tool }) => FOREIGN_TOOL_NAMES.has(tool) || tool.startsWith('mcp__'))
  )
}
