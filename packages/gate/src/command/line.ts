import {
  type Assignment,
  type Command,
  forEachChild,
  parse,
  type Redirect,
  type Redirection,
  type Script,
  type SyntaxNode,
} from 'unbash'
import { MAX_COMMAND_CHARS, isLongerThan } from '../limits.ts'
import { literalWord, readWord, type ShellWord } from './word.ts'

export interface ShellCommand {
  readonly words: readonly ShellWord[]
  readonly assignments: readonly { readonly name: string; readonly values: readonly ShellWord[] }[]
  readonly redirects: readonly {
    readonly operator: string
    readonly target: ShellWord | undefined
    /** Every shell reads it as a redirection that keeps nothing: `2>&1`, `>/dev/null`. */
    readonly isDropped: boolean
  }[]
  readonly hereTexts: readonly { readonly text: string; readonly isLiteral: boolean }[]
  readonly isPiped: boolean
}

/** One part of a list of commands: a simple command, or why it is not one. */
export type ListPart = { readonly text: string } & ({ readonly command: ShellCommand } | { readonly problem: string })

export interface ShellLine {
  readonly text: string
  readonly problem?: string
  readonly list: readonly ListPart[]
  readonly commands: readonly ShellCommand[]
  readonly expanded: readonly ShellWord[]
  /** Words may become commands: it defines a function, or keeps what is printed (`> x`, `$(…)`). */
  readonly keepsWords: boolean
}

/** What one call may make the reader do. A line that asks for more is unreadable. */
export interface ReadingLimits {
  commands: number
  codes: number
  nodes: number
}

export function readingLimits(): ReadingLimits {
  return { commands: 50, codes: 32, nodes: 20_000 }
}

/** The parser's time grows with the square of their number. */
const MAX_HERE_DOCUMENTS = 32
const MAX_EXPANSIONS = 8
/** How deep the parser's tree is followed. */
const MAX_DEPTH = 200

class Unreadable extends Error {}

/** Reads a command line as a POSIX shell does. It never throws, and takes time linear in the text. */
export function readLine(text: string, limits = readingLimits()): ShellLine {
  try {
    return createLine(text, limits)
  } catch (error) {
    const problem = error instanceof Unreadable ? error.message : 'cannot be read as shell commands'
    return { text, problem, list: [], commands: [], expanded: [], keepsWords: false }
  }
}

/** Parses a text as a shell would; undefined if it is not in a shell's language, or too much of it. */
export function parseScript(text: string): Script | undefined {
  try {
    const script = parse(text)
    return (script.errors?.length ?? 0) > 0 ? undefined : script
  } catch {
    // It is nested too deep for the parser.
    return undefined
  }
}

function createLine(text: string, limits: ReadingLimits): ShellLine {
  if (text.length > MAX_COMMAND_CHARS) throw new Unreadable(isLongerThan(MAX_COMMAND_CHARS))
  if (/(?![\n\t])\p{Cc}|[\p{Cs}\uE000-\uE002]/u.test(text)) throw new Unreadable('holds control characters')
  if (text.split('<<').length > MAX_HERE_DOCUMENTS + 1) {
    throw new Unreadable(`has more than ${MAX_HERE_DOCUMENTS} here-documents`)
  }
  const script = parseScript(text)
  if (script === undefined) throw new Unreadable('cannot be read as shell commands')
  const walk = createWalk(limits)
  walk.visit(script, { isPiped: false, depth: 0, expansions: 0 })
  return { text, list: listParts(script, text, walk.found), ...walk.result }
}

interface Place {
  readonly isPiped: boolean
  readonly depth: number
  readonly expansions: number
}

const EXPANSIONS: ReadonlySet<string> = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticExpansion',
  'ArithmeticCommandExpansion',
  'ParameterExpansion',
])

function createWalk(limits: ReadingLimits) {
  const found = new Map<SyntaxNode, ShellCommand>()
  const commands: ShellCommand[] = []
  const expanded: ShellWord[] = []
  const result = { commands, expanded, keepsWords: false }

  function visit(node: SyntaxNode, place: Place): void {
    const depth = place.depth + 1
    const expansions = place.expansions + (EXPANSIONS.has(node.type) ? 1 : 0)
    if (--limits.nodes < 0 || depth > MAX_DEPTH) throw new Unreadable('holds too much to be read')
    if (expansions > MAX_EXPANSIONS) throw new Unreadable(`nests more than ${MAX_EXPANSIONS} expansions`)
    const here: Place = { ...place, depth, expansions }
    const visitChildren = (each: Place): void => forEachChild(node, (child) => visit(child, each))
    switch (node.type) {
      case 'Word':
        if (node.parts === undefined) return
        visitChildren(here)
        expanded.push(readWord(node))
        return
      case 'Command': {
        if (--limits.commands < 0) throw new Unreadable('has more than 50 commands')
        result.keepsWords ||= node.redirects.some(isKept)
        const command = createCommand(node, here)
        found.set(node, command)
        commands.push(command, ...commandsBehind(node, command))
        visitChildren(here)
        return
      }
      case 'Pipeline':
        for (const [index, command] of node.commands.entries()) {
          visit(command, { ...here, isPiped: here.isPiped || index > 0 })
        }
        return
      case 'Redirected':
        result.keepsWords ||= node.redirects.some(isKept)
        visitChildren({
          ...here,
          isPiped: here.isPiped || node.redirects.some(({ operator }) => operator.startsWith('<')),
        })
        return
      case 'TestUnary':
      case 'TestBinary': {
        const operands = node.type === 'TestUnary' ? [node.operand] : [node.left, node.right]
        // A test may carry out what stands in an index of an array.
        commands.push({ ...NO_COMMAND, words: [literalWord('[['), ...operands.map((word) => readWord(word))] })
        visitChildren(here)
        return
      }
      case 'Function':
        result.keepsWords = true
        visitChildren(here)
        return
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion': {
        if (node.script === undefined || (node.script.errors?.length ?? 0) > 0) {
          throw new Unreadable('holds a substitution that cannot be read')
        }
        result.keepsWords ||= node.type !== 'ArithmeticCommandExpansion'
        // `>(sh)` reads what another command writes.
        const isFed = node.type === 'ProcessSubstitution' && node.operator === '>'
        visit(node.script, { ...here, isPiped: here.isPiped || isFed })
        return
      }
      default:
        visitChildren(here)
    }
  }

  return { visit, found, result }
}

const NO_COMMAND: ShellCommand = {
  words: [],
  assignments: [],
  redirects: [],
  hereTexts: [],
  isPiped: false,
}

function createCommand(node: Command, { isPiped }: Place): ShellCommand {
  const name = node.name === undefined ? [] : [readWord(node.name)]
  const redirects = node.redirects.filter((each) => each.type === 'Redirect')
  const assignments = node.prefix.filter((part) => part.type === 'Assignment')
  return {
    words: [...name, ...node.args.map((part) => (part.type === 'Word' ? readWord(part) : readAssignmentWord(part)))],
    assignments: assignments.map(({ name: variable, value }) => ({
      name: variable,
      values: (value.type === 'Word' ? [value] : value.elements).map((each) => readWord(each)),
    })),
    redirects: redirects.map((each) => ({
      operator: each.operator,
      target: each.target && readWord(each.target),
      isDropped: isDropped(each),
    })),
    hereTexts: node.redirects.flatMap(hereText),
    isPiped,
  }
}

/** `A=1` behind `export`: to the parser an assignment, to the program a word. */
function readAssignmentWord({ text, value }: Assignment): ShellWord {
  return value.type === 'Word' ? readWord(value, text) : { text, shape: text, expands: new Set(['other']) }
}

function hereText(redirect: Redirection): ShellCommand['hereTexts'] {
  if (redirect.type === 'Redirect') return []
  if (redirect.type === 'HereDoc') {
    const { text, parts = [] } = redirect.body
    return [{ text, isLiteral: parts.every(({ type }) => type === 'Literal') }]
  }
  const word = redirect.target && readWord(redirect.target)
  return [{ text: word?.literal ?? word?.shape ?? '', isLiteral: word?.literal !== undefined }]
}

function isKept(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || /^<&?$/.test(redirect.operator)) return false
  return !isDropped(redirect) && !(redirect.operator !== '<>' && redirect.target?.text === '/dev/null')
}

/** Other shells read `11` and `{name}` before a redirection as words, and `&>` as the end of a command. */
function isDropped({ operator, target, descriptor }: Redirect): boolean {
  if (descriptor !== undefined && (descriptor.type !== 'FileDescriptor' || descriptor.end > descriptor.pos + 1)) {
    return false
  }
  return operator === '>&' ? /^[12]$/.test(target?.text ?? '') : /^>>?$/.test(operator) && target?.text === '/dev/null'
}

function commandsBehind({ redirects, args }: Command, command: ShellCommand): readonly ShellCommand[] {
  return redirects.flatMap(({ operator, end }) => {
    const count = operator.startsWith('&>') ? args.filter(({ pos }) => pos >= end).length : 0
    return count === 0 ? [] : [{ ...command, assignments: [], words: command.words.slice(-count) }]
  })
}

function listParts(
  script: SyntaxNode,
  text: string,
  found: ReadonlyMap<SyntaxNode, ShellCommand>,
): readonly ListPart[] {
  const parts: ListPart[] = []
  let end = 0
  const add = (node: SyntaxNode, problem?: string): void => {
    const own = text.slice(node.pos, node.end)
    const between = text.slice(end, node.pos)
    end = node.end
    const command = found.get(node)
    if (!isSeparator(between)) parts.push({ text: between.trim(), problem: 'is not certain to be a separator' })
    // The parser leaves out a "(" that nothing closes.
    const isOpen = node.type === 'Command' && /^(?:[ \t]|\\\n)*\(/.test(text.slice(node.name?.end ?? node.end))
    if (problem !== undefined || command === undefined || isOpen) {
      parts.push({ text: own, problem: problem ?? 'is shell syntax and not a simple command' })
    } else parts.push({ text: own, command })
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Script' || node.type === 'AndOr') for (const each of node.commands) visit(each)
    else if (node.type === 'Statement') {
      if (node.background === true) add(node, 'runs in the background')
      else visit(node.command)
    } else if (node.type === 'Pipeline') {
      if (node.prefixes.length > 0 || node.operators.includes('|&'))
        add(node, 'is more than a pipeline of plain commands')
      else for (const each of node.commands) visit(each)
    } else add(node)
  }
  visit(script)
  if (!isSeparator(text.slice(end))) parts.push({ text: text.slice(end).trim(), problem: 'cannot be read' })
  return parts
}

function isSeparator(text: string): boolean {
  return /^(?:[\s;|&]|\\\n)*$/.test(text.replaceAll(/#[^\n]*/g, ''))
}
