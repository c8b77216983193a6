import { parseAllowedTools } from './allowed-tools.ts'
import { readText, type YamlMap, type YamlNode } from '../yaml/tree.ts'

/** The tools of Claude Code, by the names that published skills use in `allowed-tools`. */
export const FOREIGN_TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
    'Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/** Keys of other clients that turn something off, with the value that does so. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['disabled', true],
  ['enabled', false],
])

/**
 * Returns the restricting field that a key of another client stands for at the top of a frontmatter. `tools: Read, Grep`
 * restricts a sub-agent of Claude Code; in other skills the field names clients or capabilities, so only a value that
 * names nothing but tools of Claude Code is taken for rules. `disabled: true` and `enabled: false` turn a skill off.
 */
export function findForeignRules(key: string, value: YamlNode, { entries }: YamlMap): string | undefined {
  const isAbsent = (known: string): boolean => entries.every((entry) => entry.key !== known)
  if (key === 'tools' || key === 'tool')
    return isAbsent('allowed-tools') && namesHostTools(value) ? 'allowed-tools' : undefined
  const isOff = value.kind === 'scalar' && SWITCHES.has(key) && value.value === SWITCHES.get(key)
  return isOff && isAbsent('status') ? 'status' : undefined
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
