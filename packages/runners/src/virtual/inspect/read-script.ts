import type { CommandNode, PipelineNode, ScriptNode, SimpleCommandNode, StatementNode, WordNode } from 'just-bash'
import { hasGlob, type SeenCommand, type SeenConstruct, type SeenPattern, type SeenScript, wordText } from './seen.ts'

/** Where the walk is. */
interface Place {
  readonly certain: boolean
  /** In a command substitution, lines are counted from its own beginning. */
  readonly isInner: boolean
}

/**
 * Collects what a script consists of, from the tree that the shell itself runs.
 * @param outer the script whose shell reads this text, by `eval`
 */
export function readScript(script: ScriptNode, source: string, outer?: SeenScript): SeenScript {
  const lines = source.split('\n')
  const commands: SeenCommand[] = []
  const patterns: SeenPattern[] = []
  const constructs: SeenConstruct[] = []
  const texts: { text: string; line: number }[] = []
  const functions = new Set(outer?.functions)
  const guarded: { readonly name: string | undefined; readonly line: number; readonly where: string }[] = []
  let line = 1
  let stopsAtErrors = outer?.stopsAtErrors ?? false

  /** The line from the present one on that holds a text: not every node knows its own. */
  const lineOf = (text: string): number => {
    const at = lines.findIndex((each, index) => index >= line - 1 && each.includes(text))
    return at < 0 ? line : at + 1
  }

  const statements = (list: readonly StatementNode[], place: Place): void => {
    for (const each of list) statement(each, place)
  }

  function statement({ pipelines, operators }: StatementNode, place: Place): void {
    for (const [index, pipeline] of pipelines.entries()) {
      const isHandled = operators.includes('||') || pipeline.negated
      const isLeft = index < operators.length && operators[index] !== ';'
      if (isLeft) guard(pipeline, 'before || or &&')
      else if (pipeline.negated) guard(pipeline, 'behind !')
      for (const command of pipeline.commands)
        visitCommand(command, { ...place, certain: place.certain && index === 0 && !isHandled })
    }
  }

  /** The left side of `||` or `&&`, or the operand of `!`, if it holds commands. */
  function guard({ commands: [first, second] }: PipelineNode, where: string): void {
    if (first === undefined || second !== undefined) return
    if (first.type === 'SimpleCommand') {
      if (first.name !== null) guarded.push({ name: wordText(first.name), line: first.line ?? line, where })
    } else if (first.type === 'Subshell' || first.type === 'Group')
      guarded.push({ name: undefined, line: firstLine(first.body) ?? line, where })
  }

  function visitCommand(node: CommandNode, place: Place): void {
    if (!place.isInner && node.line !== undefined) line = node.line
    const maybe = { ...place, certain: false }
    switch (node.type) {
      case 'SimpleCommand':
        return simple(node, place)
      case 'Group':
      case 'Subshell':
        statements(node.body, place)
        return visit(node.redirections, place)
      case 'FunctionDef':
        functions.add(node.name)
        visitCommand(node.body, maybe)
        return visit(node.redirections, maybe)
      case 'Case':
        if (!place.isInner) line = lineOf('case ')
        visit(node.word, place)
        for (const { patterns: words, body } of node.items) {
          for (const word of words) pattern(word, 'case', place)
          statements(body, maybe)
        }
        return visit(node.redirections, place)
      default:
        return visit(Object.values(node), maybe)
    }
  }

  function simple(node: SimpleCommandNode, place: Place): void {
    const name = node.name === null ? undefined : wordText(node.name)
    const args = node.args.map(wordText)
    if (node.name !== null) {
      const isLiteral = name !== undefined && !name.includes('\0') && !hasGlob(node.name)
      commands.push({
        ...(isLiteral && { name }),
        args,
        node,
        line: place.isInner ? lineOf(name ?? '') : line,
        certain: place.certain,
      })
      if (
        name === 'set' &&
        args.some((arg, index) => /^-[a-z]*e/.test(arg) || (arg === 'errexit' && args[index - 1] === '-o'))
      )
        stopsAtErrors = true
    } else {
      const [first, ...rest] = node.assignments
      if (first?.name === 'IFS' && rest.some(({ array }) => array !== null))
        constructs.push({ reason: 'an array is assigned together with IFS, and is split without it', line })
    }
    visit(node.assignments, place)
    visit(node.name, place)
    visit(node.args, place)
    visit(node.redirections, place)
  }

  function pattern(word: WordNode, where: SeenPattern['where'], place: Place): void {
    patterns.push({ word, where, line: lineOf(globText(word)) })
    visit(word, place)
  }

  function visit(value: unknown, place: Place): void {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, place))
    if (typeof value !== 'object' || value === null || !('type' in value)) {
      if (typeof value === 'object' && value !== null) visit(Object.values(value), place)
      return
    }
    const node = value as { readonly type: string; readonly line?: number; readonly [key: string]: unknown }
    switch (node.type) {
      case 'Statement':
        return statement(value as StatementNode, place)
      case 'SimpleCommand':
      case 'FunctionDef':
      case 'Case':
        return visitCommand(value as CommandNode, place)
      case 'CommandSubstitution':
      case 'ProcessSubstitution':
        return statements((node['body'] as ScriptNode).statements, { ...place, isInner: true })
      case 'CondBinary': {
        visit(node['left'], place)
        const right = node['right'] as WordNode
        const isPattern = ['=', '==', '!='].includes(String(node['operator']))
        return isPattern ? pattern(right, '[[ ]]', place) : visit(right, place)
      }
      case 'ArithSyntaxError':
        constructs.push({
          reason: 'an expression in (( )) is read wrongly, and is false (write blanks around its operators)',
          line,
        })
        return
      case 'ParameterExpansion':
        expansion(node)
        return visit(node['operation'], place)
      case 'Literal':
      case 'SingleQuoted':
        texts.push({ text: String(node['value']), line: lineOf(String(node['value']).split('\n')[0] ?? '') })
        return
      case 'Glob':
        texts.push({ text: String(node['pattern']), line: lineOf(String(node['pattern'])) })
        return
      default:
        if (node.line !== undefined && !place.isInner) line = node.line
        return visit(Object.values(node), place)
    }
  }

  function expansion(node: { readonly [key: string]: unknown }): void {
    const { parameter, operation } = node as { parameter?: unknown; operation?: { type?: unknown } | null }
    if ((parameter === '@' || parameter === '*') && operation?.type === 'Length')
      constructs.push({
        reason: `\${#${parameter}} counts characters and not arguments (write $#)`,
        line: lineOf(`{#${parameter}}`),
      })
  }

  statements(script.statements, { certain: true, isInner: false })
  if (stopsAtErrors)
    for (const { name, line: at, where } of guarded)
      if (name === undefined || functions.has(name))
        constructs.push({
          reason: `set -e ends ${name === undefined ? 'the commands in ( ) or { }' : `the function "${name}"`} ${where} at the first failure`,
          line: at,
        })
  return { commands, patterns, constructs, texts, functions, stopsAtErrors }
}

function globText(word: WordNode): string {
  const glob = word.parts.find((part) => part.type === 'Glob')
  return glob?.type === 'Glob' ? glob.pattern : wordText(word).split('\0')[0]!
}

/** The line of the first simple command, where it stands first. */
function firstLine([statement]: readonly StatementNode[]): number | undefined {
  const command = statement?.pipelines[0]?.commands[0]
  if (command === undefined) return undefined
  return command.type === 'Subshell' || command.type === 'Group' ? firstLine(command.body) : command.line
}
