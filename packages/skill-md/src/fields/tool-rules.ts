import type { ToolRule } from '../ports/manifest.ts'
import { parseAllowedTools } from './allowed-tools.ts'
import type { FieldContext } from './field.ts'
import { quote } from '../hidden.ts'
import { describeType, readText, type YamlNode } from '../yaml/tree.ts'

/**
 * Reads a field of tool rules: one string, or a list with one rule per entry. A malformed rule refuses the skill in every
 * profile, because the remaining rules could allow more, or forbid less, than the author meant.
 */
export function readRules(
  node: YamlNode,
  { key, report }: FieldContext,
  code: 'ALLOWED_TOOLS_INVALID' | 'DISALLOWED_TOOLS_INVALID',
): { readonly rules: readonly ToolRule[]; readonly commas: boolean } | undefined {
  const rules: ToolRule[] = []
  let commas = false
  for (const entry of node.kind === 'list' ? node.items : [node]) {
    const text = readText(entry)
    if (text === undefined) {
      const message = `The field "${key}" holds ${describeType(entry)} where a rule belongs.`
      const hint = 'Write one string, such as "Read Bash(git:*)". Quote a rule that holds ": ".'
      return report.error(code, { line: entry.line, message, hint })
    }
    const result = parseAllowedTools(node.kind === 'list' ? [text] : text)
    if (!result.ok) {
      const message = `The field "${key}" holds ${quote(result.rule)}, which ${result.problem}.`
      return report.error(code, { line: entry.line, message, hint: `${result.hint}.` })
    }
    rules.push(...result.rules)
    commas ||= result.commas
  }
  return { rules, commas }
}
