import { isObject } from '../plain-value.ts'
import type { ToolRule } from '../ports/manifest.ts'
import { quote } from '../text/escape.ts'
import { findUnseen } from '../text/hidden.ts'
import { describeType, readText, type YamlNode } from '../yaml/tree.ts'
import type { FieldContext } from './field.ts'

/** The rules, or why there are none: one malformed rule makes the whole value invalid, so that none allows too much. */
type ToolRulesResult =
  | {
      readonly ok: true
      readonly rules: readonly ToolRule[]
      /** Whether commas separate them; the standard allows only spaces. */
      readonly commas: boolean
    }
  | { readonly ok: false; readonly rule: string; readonly problem: string; readonly hint: string }

const HINT = 'Write each rule as Tool, Tool(pattern), Tool(prefix:*) or mcp__server__*'

/** A trailing `*` matches the rest of a name and is allowed only after an MCP server's name. */
const TOOL = /^[A-Za-z_][\w.:/-]*$|^mcp__[\w.:/-]+__[\w.:/-]*\*$/
const SEPARATOR = /[ \t\r\n,]/

/**
 * Reads `allowed-tools`. The grammar: rules separated by blanks or commas; a rule is `Tool`, `mcp__server__*`, or a
 * tool with a pattern, `Tool(pattern)`, `Tool(prefix:*)`. The pattern is the text between balanced parentheses and may
 * hold separators. The Agent Skills specification only has the example `Bash(git:*) Bash(jq:*) Read`.
 * @param value one string, or a list with one rule in each entry; empty means that nothing is allowed
 */
export function parseAllowedTools(value: string | readonly string[]): ToolRulesResult {
  const { parts, commas } =
    typeof value === 'string'
      ? split(value)
      : { parts: value.map((entry) => entry.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')), commas: false }
  const rules: ToolRule[] = []
  for (const part of parts) {
    const rule = parseRule(part)
    if ('problem' in rule) return { ok: false, rule: part, hint: HINT, ...rule }
    rules.push(rule)
  }
  return { ok: true, rules, commas }
}

/**
 * Returns a rule as it is written in a manifest.
 * @throws {TypeError} the rule is not an object
 */
export function formatRule(rule: ToolRule): string {
  if (!isObject(rule)) throw new TypeError('formatRule: pass a rule such as { tool: "Bash", pattern: "git:*" }.')
  return rule.pattern === undefined ? rule.tool : `${rule.tool}(${rule.pattern})`
}

/** Splits at separators outside parentheses. */
function split(value: string): { readonly parts: readonly string[]; readonly commas: boolean } {
  const parts: string[] = []
  let commas = false
  let depth = 0
  let start = 0
  for (let at = 0; at <= value.length; at++) {
    const character = value[at]
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === undefined || (depth <= 0 && SEPARATOR.test(character))) {
      if (at > start) parts.push(value.slice(start, at))
      commas ||= character === ','
      start = at + 1
    }
  }
  return { parts, commas }
}

function parseRule(part: string): ToolRule | { readonly problem: string; readonly hint?: string } {
  const unseen = findUnseen(part)
  if (unseen !== undefined) return { problem: `holds ${unseen}, which is not shown` }
  const open = part.indexOf('(')
  const tool = open === -1 ? part : part.slice(0, open)
  if (!TOOL.test(tool)) return { problem: 'does not begin with the name of a tool' }
  if (open === -1) return { tool }
  const close = findClose(part, open)
  if (close === undefined) return { problem: 'is not closed', hint: 'Add ")"' }
  if (close < part.length - 1) return { problem: 'continues after ")"' }
  const pattern = part.slice(open + 1, close)
  if (pattern.trim() !== pattern || pattern === '') return { problem: 'has a blank pattern, or blanks around it' }
  if (pattern === ':*' || /:\*\s/.test(pattern)) return { problem: 'has a ":*" that does not end a prefix' }
  return { tool, pattern }
}

function findClose(part: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < part.length; at++) {
    if (part[at] === '(') depth++
    else if (part[at] === ')' && --depth === 0) return at
  }
  return undefined
}

/**
 * Reads a field of tool rules: one string, or a list with one rule per entry. A malformed rule refuses the skill in
 * every profile, because the remaining rules could allow more, or forbid less, than the author meant.
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
