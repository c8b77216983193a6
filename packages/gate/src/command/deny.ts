import { quote } from '@repertoire/skill-md/internal'
import { commands } from '../load-commands.ts'
import { isSubcommand } from './aliases.ts'
import { keepsOutput, isData } from './data-commands.ts'
import { codeOf, findPrograms, isPattern, isWrapped } from './interpreters.ts'
import type { ReadingLimits, ShellCommand, ShellLine } from './line.ts'
import { readDenied } from './rule.ts'
import { hasPattern, matchShape, programName, type ShellWord } from './word.ts'

/** One word that a denied command may consist of. Without a text: a shell fills it in. */
interface Token {
  readonly text?: string
  readonly name?: string
  /** A part of the word before it. */
  readonly isPart?: boolean
}

/** Words in one order, of a command or of a text that may hold one. */
interface Sequence {
  readonly tokens: readonly Token[]
  /** Only the first word can be a program: the others are data. */
  readonly isData: boolean
}

export interface DeniableLine {
  readonly text: string
  readonly uncertain?: string | undefined
  readonly sequences: readonly Sequence[]
}

/** Reads what a line may run, as far as its text shows it. Time is linear in the text. */
export function readDeniable(line: ShellLine, limits: ReadingLimits = commands().readingLimits()): DeniableLine {
  const { text } = line
  if (line.problem !== undefined) return { text, uncertain: `the command ${line.problem}`, sequences: [] }
  const sequences: Sequence[] = []
  const isPlain = !keepsOutput(line) && !line.commands.some(changesNames)
  if (EVALUATED.test(text) && /\$\((?!\()|`/.test(text)) sequences.push({ tokens: partTokens(text), isData: false })
  let uncertain: string | undefined
  for (const command of line.commands) {
    const data = isPlain && isData(command)
    sequences.push({ tokens: tokensOf(command), isData: data })
    for (const { name, values } of command.assignments) {
      const tokens = values.flatMap(wordTokens)
      if (name !== '' && tokens.length > 0) sequences.push({ tokens, isData: false })
    }
    if (configuresGit(command)) sequences.push({ tokens: [token('git'), {}], isData: false })
    if (data) continue
    for (const here of command.hereTexts) sequences.push({ tokens: partTokens(`${here.text}\n`), isData: false })
    const code = codeOf(command)
    uncertain ??= code.uncertain
    for (const inner of code.lines) {
      if (--limits.codes < 0) return { text, uncertain: 'the command holds too much code', sequences: [] }
      const nested = readDeniable(commands().readLine(inner, limits), limits)
      uncertain ??= nested.uncertain
      sequences.push(...nested.sequences)
    }
  }
  return { text, sequences, uncertain }
}

/** Arithmetic carries out what stands in an index of an array, and `${PS4='…'}` sets what a shell carries out. */
const EVALUATED = /\(\(|\$\[|\$\{[^}:=]{0,40}[:=]/

const CHANGING = /^(?:PATH|ENV|BASH_ENV|LD_PRELOAD|IFS|PROMPT_COMMAND)(?:\+?=|$)/

/** Whether a command may make a name mean another program, or send what is printed elsewhere: `exec > x.sh`. */
function changesNames({ words, assignments, redirects }: ShellCommand): boolean {
  const programs = findPrograms(words).map((index) => programName(words[index]!) ?? '')
  return (
    programs.some((name) => /^(?:alias|hash|enable|eval|trap)$/.test(name)) ||
    (programs.includes('exec') && redirects.length > 0) ||
    assignments.some(({ name }) => CHANGING.test(name)) ||
    words.some(({ shape }) => /=/.test(shape) && CHANGING.test(shape))
  )
}

function configuresGit({ words, assignments }: ShellCommand): boolean {
  const all = [...assignments.map(({ name }) => name), ...words.map(({ shape }) => shape)]
  return all.some((each) => /^(?:GIT_CONFIG|--config-env(?:=|$))/.test(each))
}

/** Between what may be words of a command in a text, whatever its language. */
const SEPARATORS = /[^\p{L}\p{N}\p{M}_./@+-]+/u

function tokensOf(command: ShellCommand): readonly Token[] {
  const isFilled = isWrapped(command)
  const tokens = command.words.flatMap((word) => {
    if (isFilled && /^(?:\{\}|:::.*)$/.test(word.shape)) return [{}]
    return wordTokens(word)
  })
  // The input of `xargs` may give any further words.
  return isFilled && tokens.length > 0 ? [...tokens, {}] : tokens
}

/** Braces that hold more than a variable's name, and what stands before the text that such a variable may give. */
const GROUP = /\{\w*[^\w}]/
const DEFAULT = /\$\{\w+:?[-+=]/g

function wordTokens(word: ShellWord): readonly Token[] {
  const { literal, shape } = word
  if (literal !== undefined) return [token(literal), ...partTokens(literal)]
  const parts = partTokens(GROUP.test(word.text) ? `${shape} ${word.text.replaceAll(DEFAULT, ' ')}` : shape)
  // A pattern of names is known by what it matches, and anything else by the end of its path if variables are empty.
  if (isPattern(word)) return [token(shape), ...parts]
  const { name } = token(shape.replaceAll(/[\uE000-\uE002]/g, ''))
  return [{ name }, ...parts]
}

/** What may be words of a command in a text: with quotes removed, and with quotes and line breaks as separators. */
function partTokens(text: string): readonly Token[] {
  if (!SEPARATORS.test(text)) return []
  const joined = text.replaceAll(/["'\\]/g, '').split(SEPARATORS)
  const apart = /["'\\]/.test(text) ? text.replaceAll(/\\[nrt]/g, ' ').split(SEPARATORS) : []
  return [...joined, ...apart].filter((part) => part !== '').map((part) => ({ ...token(part), isPart: true }))
}

function token(text: string): Token {
  const end = text.slice(text.lastIndexOf('/') + 1)
  return { text, name: end.toLowerCase().replace(/^[@+]+|\.(?:exe|cmd|bat)$|(?<=.)@[^]*$/g, '') }
}

/** Programs whose first word that is not an option is the subcommand. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'git gh docker podman kubectl npm pip pip3 brew helm aws gcloud'.split(' '),
)

/** Why a rule that denies may mean a line: a clause; undefined if the text shows that it does not. */
export function denyLine({ text, uncertain, sequences }: DeniableLine, pattern: string): string | undefined {
  const rule = readDenied(pattern)
  if (rule === undefined) return `it is not certain which commands ${quote(pattern)} means`
  if (sequences.some((sequence) => matches(sequence, rule))) return `the command ${quote(text)} may match it`
  return uncertain === undefined ? undefined : `${uncertain}, so that it may match it`
}

function matches({ tokens, isData: data }: Sequence, [program, ...rest]: readonly string[]): boolean {
  const second = rest[0]
  const isExact = second !== undefined && !second.startsWith('-') && WITH_SUBCOMMANDS.has(program!)
  const known: number[] = []
  const lastOf = (skipped: 0 | 1): number => (known[skipped] ??= lastStart(tokens, rest.slice(skipped), program!))
  const end = data ? Math.min(1, tokens.length) : tokens.length
  for (let index = 0; index < end; index++) {
    if (!isProgram(tokens[index]!, program!)) continue
    if (second === undefined) return true
    let after = index + 1
    if (tokens[index]!.isPart !== true) while (tokens[after]?.isPart === true) after++
    const next = tokens[after]
    const isOption = next?.text?.startsWith('-') === true
    if (!isExact || isOption || (program === 'git' && next?.text === 'config')) {
      if (after <= lastOf(0)) return true
    } else if (next !== undefined) {
      if (next.text === undefined) return true
      if (isSubcommand(program!, second, next.text) && after + 1 <= lastOf(1)) return true
      if (hasPattern(next.text) && matchShape(next.text, second)) return true
    }
  }
  return false
}

/** The last place from which the words of a rule follow each other in this order; -1: there is none. */
function lastStart(tokens: readonly Token[], rest: readonly string[], program: string): number {
  let left = rest.length
  let at = tokens.length
  while (left > 0 && at > 0) {
    const { text } = tokens[--at]!
    // A word that a shell fills in may be all that is left.
    if (text === undefined) return at
    const wanted = rest[left - 1]!
    if (isSubcommand(program, wanted, text) || (hasPattern(text) && matchShape(text, wanted))) left--
  }
  return left === 0 ? at : -1
}

/** Letters of options that may stand before what is glued to the last: `-qecrm`. */
const MAX_GLUED = 3

function isProgram({ text, name }: Token, program: string): boolean {
  if (name === undefined) return false
  if (text !== undefined && hasPattern(name)) return matchShape(name, program)
  const at = /^-\w/.test(name) ? name.indexOf(program) : 0
  return at <= MAX_GLUED + 1 && name.startsWith(program, at) && /^(?:-?[\d.]+)?$/.test(name.slice(at + program.length))
}
