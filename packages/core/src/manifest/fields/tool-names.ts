import { parseAllowedTools } from './allowed-tools.ts'
import { readText } from '../yaml/tree.ts'
import type { YamlNode } from '../yaml/tree.ts'

/** The tools of Claude Code, by the names that published skills use in `allowed-tools`. */
const TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
    'Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/** Whether a value is a list of rules that name only tools of Claude Code, in exactly its spelling, or of MCP servers. */
export function namesHostTools(node: YamlNode): boolean {
  const texts = node.kind === 'list' ? node.items.map(readText) : [readText(node)]
  const known = texts.filter((text) => text !== undefined)
  if (known.length < texts.length) return false
  const result = parseAllowedTools(node.kind === 'list' ? known : known.join(' '))
  return (
    result.ok &&
    result.rules.length > 0 &&
    result.rules.every(({ tool }) => TOOL_NAMES.has(tool) || tool.startsWith('mcp__'))
  )
}
