import { parseAllowedTools, quote } from '@repertoire/skill-md/internal'
import { isPlainLine } from '../other-arguments.ts'
import type { SkillFolder } from '../rules.ts'
import type { Mismatch } from '../texts.ts'
import type { ListPart, ShellCommand, ShellLine } from './line.ts'
import { findReader, readerProblem } from './reader.ts'
import { type CommandRule, readCommandRule } from './rule.ts'
import { type Expansion, type ShellWord } from './word.ts'

export interface CommandContext {
  readonly isPosix: boolean
  readonly folder?: SkillFolder | undefined
}

/**
 * Compares a command line with rules of which each part of the line needs one. The line is a list of simple commands;
 * redirections (but `2>&1` and to `/dev/null`), variables before a command, substitutions and compound commands are not
 * covered, whatever the rules. It takes time linear in the line for each rule.
 */
export function compareLine(
  line: ShellLine,
  patterns: readonly string[],
  context: CommandContext,
): Mismatch | undefined {
  if (line.problem !== undefined) {
    return { why: `the command ${line.problem}`, hint: 'Give one short, plain command.' }
  }
  if (line.list.length === 0) return { why: 'the command is empty' }
  // An interactive shell looks for its history in each line, whatever quote from above is still open.
  const [, later = ''] = /\n([^]*)/.exec(line.text) ?? []
  if (/^\^|![^\s=(]/m.test(later)) {
    return { why: 'the command holds "!", or "^" at the beginning, in a line after the first' }
  }
  const rules = patterns.flatMap((pattern) => readCommandRule(pattern) ?? [])
  for (const part of line.list) {
    const mismatch = comparePart(part, rules, patterns, context)
    if (mismatch === undefined) continue
    const { why, hint } = mismatch
    const what =
      line.list.length > 1 ? `of the command, the part ${quote(part.text)} ` : `the command ${quote(part.text)} `
    return { why: what + why, hint }
  }
  return undefined
}

function comparePart(
  part: ListPart,
  rules: readonly CommandRule[],
  patterns: readonly string[],
  { isPosix, folder }: CommandContext,
): Mismatch | undefined {
  if ('problem' in part) return { why: part.problem, hint: PLAIN }
  const { command } = part
  const shape = shapeProblem(command)
  if (shape !== undefined) return shape
  const { words } = command
  if (folder !== undefined && isAgreedScript(words, patterns, folder)) return undefined
  let nearest: Mismatch | undefined
  for (const rule of rules) {
    if (!isPosix && (rule.isPrefix || !isPlainLine(part.text))) continue
    if (words[0]!.text !== rule.program || !rule.words.every((word, index) => words[index]?.literal === word)) continue
    const problem = behindRule(rule, words)
    if (problem === undefined) return undefined
    nearest ??= problem
  }
  const hint = proposeRules(words, part.text, isPosix)
  if (nearest !== undefined) return { why: nearest.why, hint: nearest.hint ?? hint }
  if (words[0]!.text !== words[0]!.literal) {
    return { why: 'does not name its program in plain letters', hint: 'Write it without quotes.' }
  }
  return { why: 'is not covered by a rule', hint }
}

const PLAIN =
  'Use plain commands, joined with "&&", "||", ";" or "|": no redirections, substitutions or variables before them.'
/** A part of a line that a hint repeats. */
const MAX_SHOWN = 100

/** Rules that certainly permit a command, with its program's or its reader's name or all of its words. */
function proposeRules(words: readonly ShellWord[], text: string, isPosix: boolean): string | undefined {
  const literal = words.flatMap((word) => word.literal ?? [])
  if (literal.length < words.length || text.length > MAX_SHOWN) return undefined
  const all = literal.map((word) => (/^[\w./:@%+,=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
  const proposed = [`${findReader(literal)?.name ?? literal[0]!}:*`, all].filter((pattern) => {
    const read = parseAllowedTools([`Bash(${pattern})`])
    const rule = read.ok ? readCommandRule(read.rules[0]!.pattern!) : undefined
    if (rule?.program !== words[0]!.text || (!isPosix && rule.isPrefix)) return false
    return rule.words.every((word, index) => literal[index] === word) && behindRule(rule, words) === undefined
  })
  return proposed.length === 0
    ? undefined
    : `Only a rule such as ${proposed.map(ruleFor).join(' or ')} would permit it.`
}

function ruleFor(pattern: string): string {
  return `"Bash(${pattern})"`
}

function shapeProblem({ words, assignments, redirects, hereTexts }: ShellCommand): Mismatch | undefined {
  if (assignments.length > 0 || words.length === 0) return { why: 'sets a variable', hint: PLAIN }
  if (hereTexts.length > 0) return { why: 'has a here-document', hint: PLAIN }
  if (!redirects.every(({ isDropped }) => isDropped)) {
    return { why: 'redirects input or output', hint: `${PLAIN} Write files with a tool for files.` }
  }
  return undefined
}

/** What may follow the words of an unbounded rule. */
const BEHIND_UNBOUNDED: ReadonlySet<Expansion> = new Set(['variable', 'quoted variable', 'pattern', 'braces', 'home'])
/** What may follow a reader's words, if the beginning of the word is certain. */
const BEHIND_READER: ReadonlySet<Expansion> = new Set(['quoted variable', 'pattern', 'braces', 'home'])

function behindRule({ words, isPrefix, reader }: CommandRule, all: readonly ShellWord[]): Mismatch | undefined {
  const rest = all.slice(words.length)
  if (!isPrefix) {
    return rest.length === 0 ? undefined : { why: `has more words than ${ruleFor(words.join(' '))} covers` }
  }
  const permitted = reader === undefined ? BEHIND_UNBOUNDED : BEHIND_READER
  for (const { text, shape, literal, expands } of rest) {
    if (literal !== undefined) continue
    const isFixed =
      reader === undefined || (text.startsWith('~/') ? !expands.has('other') : /^[^-\uE000-\uE002~{]/.test(shape))
    const isOne = reader?.reader.operands === undefined || !(expands.has('pattern') || expands.has('braces'))
    if (isFixed && isOne && [...expands].every((each) => permitted.has(each))) continue
    return {
      why: `holds ${quote(text)}, which a shell expands`,
      hint: 'Write the word out, or put it in single quotes.',
    }
  }
  if (reader === undefined) return undefined
  const found = readerProblem(reader, all.slice(reader.length))
  return found === undefined ? undefined : { why: `is not covered: in ${reader.name}, ${found}` }
}

function isAgreedScript(
  words: readonly ShellWord[],
  patterns: readonly string[],
  { paths, scripts }: SkillFolder,
): boolean {
  if (!paths.some((path) => patterns.includes(`${path}/scripts/*`))) return false
  if (words.some(({ literal }) => literal === undefined)) return false
  const own = scripts.filter((script) => script.startsWith('scripts/'))
  return paths.some((path) => own.some((script) => words[0]!.literal === `${path}/${script}`))
}

/** The words of a command of literal words that neither redirects nor sets variables. */
export function plainWords(command: ShellCommand): readonly string[] | undefined {
  const literal = command.words.flatMap((word) => word.literal ?? [])
  return shapeProblem(command) === undefined && literal.length === command.words.length ? literal : undefined
}
