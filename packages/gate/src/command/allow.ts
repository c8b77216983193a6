import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import type { SkillFolder } from '../rules.ts'
import { type ListPart, readLine, type ShellCommand, type ShellLine, isDropped } from './line.ts'
import { type FoundReader, findReader, readerProblem } from './reader.ts'
import type { Expansion, ShellWord } from './word.ts'

/** A rule for commands: exactly these words, or these and whatever may follow. */
export interface CommandRule {
  /** The first word as it is written. */
  readonly program: string
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** The reader whose rule it is. Absent: a prefix rule is unbounded. */
  readonly reader?: FoundReader
}

/** Every call of the tool, whatever its text. */
export function coversAnyCommand(pattern: string | undefined): boolean {
  return pattern === undefined || pattern === '*' || pattern === ':*'
}

/** Rules as they were read: all that are in force are compared with every command. */
const known = new Map<string, CommandRule | undefined>()
const MAX_KNOWN = 500

/** Reads a pattern for commands; undefined if it permits none. */
export function readCommandRule(pattern: string): CommandRule | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  if (!known.has(pattern)) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(pattern, parseRule(pattern))
  }
  return known.get(pattern)
}

function parseRule(pattern: string): CommandRule | undefined {
  const text = pattern.trim()
  const isPrefix = /(?::|[ \t])\*$/.test(text)
  const { list } = readLine(isPrefix ? text.slice(0, -2) : text)
  const [part] = list
  if (list.length !== 1 || part === undefined || !('command' in part)) return undefined
  const words = plainWords(part.command)
  if (words === undefined) return undefined
  const reader = isPrefix ? findReader(words) : undefined
  return { program: part.command.words[0]!.text, words, isPrefix, ...(reader && { reader }) }
}

/** The words of a command of literal words that neither redirects nor sets variables. */
function plainWords({ words, assignments, redirects, hereTexts }: ShellCommand): readonly string[] | undefined {
  const literal = words.flatMap((word) => word.literal ?? [])
  const isPlain = assignments.length === 0 && redirects.length === 0 && hereTexts.length === 0
  return isPlain && literal.length === words.length && literal.length > 0 ? literal : undefined
}

/** Why a line is not covered: a clause, and what the model can do about it. */
export interface CommandMismatch {
  readonly why: string
  readonly hint?: string
  /** Whether the part of the line is one that some rule could cover. */
  readonly isForm: boolean
}

/** What else decides whether a rule covers a command. */
export interface CommandContext {
  /** Whether a POSIX shell certainly reads it. Another one may read other words, so that only exact rules count. */
  readonly isPosix: boolean
  /** The folder of the skill that has the rules, for `Bash(<folder>/scripts/*)`. */
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
): CommandMismatch | undefined {
  if (line.problem !== undefined) {
    return { why: `the command ${line.problem}`, hint: 'Give one short, plain command.', isForm: false }
  }
  if (line.list.length === 0) return { why: 'the command is empty', isForm: false }
  const rules = patterns.flatMap((pattern) => readCommandRule(pattern) ?? [])
  for (const part of line.list) {
    const mismatch = comparePart(part, rules, patterns, context)
    if (mismatch === undefined) continue
    const { why, hint, isForm } = mismatch
    const what =
      line.list.length > 1 ? `of the command, the part ${quote(part.text)} ` : `the command ${quote(part.text)} `
    return { why: what + why, isForm, ...(hint !== undefined && { hint }) }
  }
  return undefined
}

function comparePart(
  part: ListPart,
  rules: readonly CommandRule[],
  patterns: readonly string[],
  { isPosix, folder }: CommandContext,
): CommandMismatch | undefined {
  if ('problem' in part) return { why: part.problem, hint: PLAIN, isForm: false }
  const { command } = part
  const shape = shapeProblem(command)
  if (shape !== undefined) return { ...shape, isForm: false }
  const { words } = command
  if (folder !== undefined && isAgreedScript(words, patterns, folder)) return undefined
  let nearest: CommandMismatch | undefined
  for (const rule of rules) {
    if (rule.isPrefix && !isPosix) continue
    if (!isPosix && !/^[\w./:@+-]+(?: [\w./:@+-]+)*$/.test(part.text)) continue
    if (words[0]!.text !== rule.program || !rule.words.every((word, index) => words[index]?.literal === word)) continue
    const problem = behindRule(rule, words.slice(rule.words.length))
    if (problem === undefined) return undefined
    nearest ??= problem
  }
  if (nearest !== undefined) return nearest
  const exact = words.every(({ literal }) => literal !== undefined) && part.text.length <= MAX_SHOWN
  const hint = exact
    ? `Only a rule such as ${ruleFor(`${words[0]!.text}:*`)} or ${ruleFor(part.text)} would permit it.`
    : undefined
  return { why: 'is not covered by a rule', isForm: true, ...(hint !== undefined && { hint }) }
}

const PLAIN =
  'Use plain commands, joined with "&&", "||", ";" or "|": no redirections, substitutions or variables before them.'
/** A part of a line that a hint repeats. */
const MAX_SHOWN = 100

function ruleFor(pattern: string): string {
  return `"Bash(${pattern})"`
}

/** Why no rule covers a command, by what it is. */
function shapeProblem({
  words,
  assignments,
  redirects,
  hereTexts,
}: ShellCommand): { why: string; hint: string } | undefined {
  if (assignments.length > 0 || words.length === 0) return { why: 'sets a variable', hint: PLAIN }
  if (hereTexts.length > 0) return { why: 'has a here-document', hint: PLAIN }
  if (!redirects.every(({ operator, target }) => isDropped(operator, target?.literal))) {
    return { why: 'redirects input or output', hint: `${PLAIN} Write files with a tool for files.` }
  }
  return undefined
}

/** What may follow the words of an unbounded rule. */
const BEHIND_UNBOUNDED: ReadonlySet<Expansion> = new Set(['variable', 'quoted variable', 'pattern', 'braces', 'home'])
/** What may follow those of a reader's, in a word of which the beginning is certain. */
const BEHIND_READER: ReadonlySet<Expansion> = new Set(['quoted variable', 'pattern', 'braces', 'home'])

/** Why a rule does not cover what follows its words. */
function behindRule({ words, isPrefix, reader }: CommandRule, rest: readonly ShellWord[]): CommandMismatch | undefined {
  const exact = ruleFor(words.join(' '))
  if (!isPrefix) {
    return rest.length === 0 ? undefined : { why: `has more words than ${exact} covers`, isForm: true }
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
      isForm: false,
    }
  }
  if (reader === undefined) return undefined
  // An option that the rule names may take the next word as its value.
  if (words.length > reader.length && rest[0]?.literal === '--') {
    return { why: `has a "--" behind ${quote(words.at(-1)!)}, which may take it as a value`, isForm: false }
  }
  const found = readerProblem(reader, rest)
  if (found === undefined) return undefined
  const why = `is not covered: in ${reader.name}, ${found.problem}`
  const rule = found.option === undefined ? undefined : ruleFor(`${reader.name} ${found.option}:*`)
  return {
    why,
    isForm: false,
    ...(rule !== undefined && { hint: `Leave it out; only a rule that names it, such as ${rule}, would permit it.` }),
  }
}

/** Whether a command is an agreed script of the skill with literal arguments, and a rule is for the skill's scripts. */
function isAgreedScript(
  words: readonly ShellWord[],
  patterns: readonly string[],
  { path, scripts }: SkillFolder,
): boolean {
  const [program] = words
  if (program?.literal === undefined || words.some(({ literal }) => literal === undefined)) return false
  if (!patterns.some((pattern) => coversScripts(pattern, path))) return false
  return scripts.some((script) => script.startsWith('scripts/') && program.literal === `${path}/${script}`)
}

/** Whether a pattern is `<folder>/scripts/*`, for the skill's own folder. */
export function coversScripts(pattern: string, folder: string): boolean {
  return [`${folder}/scripts/*`, '${CLAUDE_SKILL_DIR}/scripts/*', '{baseDir}/scripts/*'].includes(pattern)
}

/** Why a pattern for commands permits none: a clause. */
export function commandPatternProblem(pattern: string): string | undefined {
  if (coversAnyCommand(pattern) || readCommandRule(pattern) !== undefined) return undefined
  if (/\/scripts\/\*$/.test(pattern)) return undefined
  return /\*/.test(pattern.replace(/(?::|[ \t])\*$/, ''))
    ? 'a "*" stands for words at the end of a pattern alone, as in "git log:*"'
    : 'its pattern is not one plain command'
}

/** What a prefix rule hands out beyond its words. */
export function unboundedProgram(pattern: string | undefined): string | undefined {
  if (coversAnyCommand(pattern)) return 'any command'
  const rule = readCommandRule(pattern!)
  return rule === undefined || !rule.isPrefix || rule.reader !== undefined ? undefined : rule.words[0]
}

/** The reader of a rule that runs what a repository's git configuration names; undefined if the rule prevents that. */
export function configuredReader(pattern: string): string | undefined {
  const { reader, words } = readCommandRule(pattern) ?? {}
  const { unless } = reader?.reader ?? {}
  return unless === undefined || unless.split(' ').every((each) => words!.includes(each)) ? undefined : reader!.name
}

/**
 * Whether a pattern for commands certainly covers none that another does not cover: `git log:*` lies within `git:*`.
 */
export function isCommandWithin(pattern: string, bounds: string): boolean {
  if (coversAnyCommand(bounds)) return true
  const inner = coversAnyCommand(pattern) ? undefined : readCommandRule(pattern)
  const outer = readCommandRule(bounds)
  if (inner === undefined || outer === undefined || (inner.isPrefix && !outer.isPrefix)) return false
  if (!outer.words.every((word, index) => inner.words[index] === word)) return false
  const rest = inner.words
    .slice(outer.words.length)
    .map((literal) => ({ text: literal, literal, shape: literal, expands: new Set<Expansion>() }))
  return behindRule(outer, rest) === undefined
}
