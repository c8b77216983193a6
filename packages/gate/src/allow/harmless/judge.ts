import { quote } from '@repertoire/skill-md/internal'
import { MAX_INNER_COMMANDS } from '../../limits.ts'
import { type GivenOption, type Option, type Options, lettersOf, optionsOf, readOptions } from './options.ts'
import { findHarmless, usesOf } from './programs.ts'
import type { GivenWords, HarmlessProgram, Syntax, Use } from './program.ts'

/** What a rule with a prefix permits of a command: all of it, or why it does not permit it. */
export type Harmless = HarmlessUse | HarmlessProblem

interface HarmlessUse {
  /** The subcommand that was found: empty where there is none, or a group of subcommands. */
  readonly subcommand: string
  /** Absent: only help is shown. */
  readonly use?: Use
  /** The rule itself names an option that is not known to be harmless. */
  readonly namesOther: boolean
}

interface HarmlessProblem {
  /** A clause. */
  readonly problem: string
  /** A pattern with a prefix that would permit the command. Absent: only one of exactly these words does. */
  readonly pattern?: string
}

/**
 * Judges a command by what is known to be harmless of its program. Undefined: it is none of the programs of which that
 * is known.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names: these are permitted as written
 */
export function judgeHarmless(words: readonly string[], fixed: number, depth = 0): Harmless | undefined {
  const program = findHarmless(words[0]!)
  if (program === undefined) return undefined
  const read = readCommand(words, fixed, program)
  if ('problem' in read || read.use?.passesOn?.to !== 'program') return read
  const { rest = words.length } = read
  if (rest >= words.length) return read
  if (depth >= MAX_INNER_COMMANDS) return { problem: `${quote(words[0]!)} runs commands within commands` }
  for (const { passed, named } of readingsOf(words.slice(rest), Math.max(fixed - rest, 0))) {
    const inner = judgeHarmless(passed, named, depth + 1)
    if (inner !== undefined && 'problem' in inner) return { problem: inner.problem }
  }
  return read
}

/** Some programs drop the first "--" of the words that they hand on: `npm exec curl -- -o x`. */
function readingsOf(passed: readonly string[], named: number) {
  const at = passed.indexOf('--')
  if (at < 0) return [{ passed, named }]
  return [
    { passed, named },
    { passed: passed.toSpliced(at, 1), named: at < named ? named - 1 : named },
  ]
}

type ReadCommand = HarmlessUse & {
  /** Where the words begin that are passed on. */
  readonly rest?: number | undefined
}

/** Alone, these only print. */
const HELP = /^(?:-h|--help|--version)$/

function readCommand(words: readonly string[], fixed: number, program: HarmlessProgram): ReadCommand | HarmlessProblem {
  const { everywhere = '', before = '' } = program
  if (words.length === 2 && HELP.test(words[1]!)) return { subcommand: '', namesOther: false }
  const uses = usesOf(program)
  if (uses.size === 1) return readUse(words, 1, fixed, { program, name: '', use: uses.get('') as Use })
  const front = readWords(words, 1, fixed, { program, options: readOptions(`${everywhere} ${before}`), isFront: true })
  if ('problem' in front) return front
  const { end: at, namesOther } = front
  const first = words[at]
  if (first === undefined) {
    const alone = uses.get('')
    return { subcommand: '', ...(alone !== undefined && alone !== false && { use: alone }), namesOther }
  }
  if (first === '--') return { problem: 'a subcommand behind "--" is not read' }
  if (front.isUncertain) return { problem: `${quote(first)} may be the value of an option that is not known` }
  const group = program.groups?.[first]
  const inGroup =
    group &&
    readWords(words, at + 1, fixed, {
      program,
      options: readOptions(`${everywhere} ${group.options ?? ''}`),
      use: group,
      isFront: true,
    })
  if (inGroup !== undefined && 'problem' in inGroup) return inGroup
  if (inGroup?.isUncertain === true)
    return { problem: `${quote(words[inGroup.end]!)} may be the value of an option that is not known` }
  const { name, end, isGroup } = findSubcommand(words, first, inGroup?.end ?? at + 1, Array.from(uses.keys()))
  const use = uses.get(name) ?? (isGroup || uses.get(name) === false ? undefined : uses.get('*'))
  const next = words[end]
  // A group of subcommands shows its help.
  if (use === undefined && isGroup && next === undefined) return { subcommand: name, namesOther }
  if (use === undefined || use === false) {
    const whole = [words[0]!, name, ...(isGroup && next !== undefined ? [next] : [])].join(' ')
    return { problem: `${quote(whole)} is not among the uses that are known to be harmless` }
  }
  if (use.named === true && fixed < end) {
    const whole = words.slice(0, end).join(' ')
    return {
      problem: `${quote(whole)} does more than a rule for all of ${quote(words[0]!)} permits`,
      pattern: `${whole}:*`,
    }
  }
  const read = readUse(words, uses.has(name) ? end : at, fixed, { program, name, use })
  if ('problem' in read) return read
  return { ...read, namesOther: read.namesOther || namesOther || inGroup?.namesOther === true }
}

interface Subcommand {
  readonly name: string
  /** The index behind it. */
  readonly end: number
  /** Whether others begin with its words. */
  readonly isGroup: boolean
}

/** The subcommand of most words. */
function findSubcommand(words: readonly string[], first: string, next: number, names: readonly string[]): Subcommand {
  let name = first
  let end = next
  for (; end < words.length; end++) {
    const longer = `${name} ${words[end]!}`
    if (!names.some((each) => each === longer || each.startsWith(`${longer} `))) break
    name = longer
  }
  return { name, end, isGroup: names.some((each) => each.startsWith(`${name} `)) }
}

interface NamedUse {
  readonly program: HarmlessProgram
  readonly name: string
  readonly use: Use
}

function readUse(
  words: readonly string[],
  start: number,
  fixed: number,
  { program, name, use }: NamedUse,
): ReadCommand | HarmlessProblem {
  const options = readOptions(`${program.everywhere ?? ''} ${use.options ?? ''}`)
  const shown = name === '' ? words[0]! : `${words[0]!} ${name}`
  const read = readWords(words, start, fixed, { program, name: shown, options, use })
  if ('problem' in read) return read
  const found = use.check?.(read)
  if (found !== undefined && words.slice(fixed).includes(found)) return unknownWord(found, shown)
  return { subcommand: name, use, namesOther: read.namesOther, rest: read.rest }
}

interface Reading {
  readonly program: HarmlessProgram
  readonly options: Options
  /** The program with its subcommand. Absent: the program alone. */
  readonly name?: string
  readonly use?: Use
  /** Only the options before the subcommand are read. */
  readonly isFront?: true
}

interface ReadWords extends GivenWords {
  /** The index behind the last word that was read. */
  readonly end: number
  readonly rest: number | undefined
  readonly namesOther: boolean
  /** Whether the last option is not known, so that the word behind it may be its value. */
  readonly isUncertain: boolean
}

function readWords(
  words: readonly string[],
  start: number,
  fixed: number,
  { program, options, name = words[0]!, use = {}, isFront }: Reading,
): ReadWords | HarmlessProblem {
  const { syntax = 'getopt', leading } = program
  const { passesOn } = use
  const checks = { ...program.values, ...use.values }
  const operands: string[] = []
  const given: { name: string; value: string | undefined; operandsBefore: number }[] = []
  let rest: number | undefined
  let namesOther = false
  let isUncertain = false
  let index = start

  /** Takes in an option of the word at `index`, and its value. */
  function take({ option, given: text, attached }: GivenOption): HarmlessProblem | undefined {
    const isOfRule = index < fixed
    const check = option && checks[option.name]
    const isOther = option?.isHarmless !== true
    if (isOther && isOfRule) namesOther = true
    if (option === undefined) {
      if (!isOfRule) return unknownOption(text, name, words, index)
      // What the rule names was agreed to, and so is a value that may follow.
      isUncertain = words[index + 1]?.startsWith('-') === false
      if (isUncertain && isFront !== true) index++
      return undefined
    }
    if (isOther && !isOfRule && check === undefined) return unknownOption(text, name, words, index)
    const isAttached = attached !== undefined
    const values = valuesOf(option, attached, words, index)
    if (!isOfRule && check !== undefined && values.length === 0 && option.values !== 'attached') {
      return { problem: `${quote(text)} has no value` }
    }
    if (isOther && !isOfRule && values.length === 0) return unknownOption(text, name, words, index)
    for (const value of values) {
      const isFixed = isAttached ? isOfRule : index + 1 < fixed
      if (!isAttached) index++
      if (isFixed) continue
      if (!isAttached && isLikeOption(value, syntax)) {
        return { problem: `it is not certain that ${quote(value)} is the value of ${quote(text)}` }
      }
      if (check?.(value) !== false || (isOther && isOfRule)) continue
      if (isOther) return unknownOption(text, name, words, index)
      return { problem: `${quote(value)} is not known to be harmless as the value of ${quote(text)}` }
    }
    given.push({ name: option.name, value: values[0], operandsBefore: operands.length })
    return undefined
  }

  function takeOperand(word: string): HarmlessProblem | undefined {
    if (passesOn?.from === 'operand or --' || operands.length === passesOn?.from) rest ??= index
    operands.push(word)
    const isPassed = typeof passesOn?.from === 'number' && rest !== undefined
    return index >= fixed && !isPassed && (use.operands ?? program.operands)?.(word) === false
      ? unknownWord(word, name)
      : undefined
  }

  function takeOptions(found: readonly GivenOption[]): HarmlessProblem | undefined {
    for (const each of found) {
      const problem = take(each)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  if (syntax === 'tar' && words[start]?.startsWith('-') === false) {
    // In the first word of tar letters need no dash, and the values of all stand behind it.
    const problem = takeOptions(Array.from(words[start]).flatMap((letter) => lettersOf(letter, options)))
    if (problem !== undefined) return problem
    index++
  }
  for (; index < words.length; index++) {
    const word = words[index]!
    const isOption = word.startsWith('-') && word !== '-'
    if (isFront === true && (!isOption || word === '--')) {
      if (leading?.(word) === true) continue
      break
    }
    if (word === '--' && syntax !== 'single-dash') {
      if (passesOn?.from === '--' || passesOn?.from === 'operand or --') {
        rest ??= index + 1
        break
      }
      for (index++; index < words.length; index++) {
        const problem = takeOperand(words[index]!)
        if (problem !== undefined) return problem
      }
      break
    }
    const problem = isOption ? takeOptions(optionsOf(word, options, syntax)) : takeOperand(word)
    if (problem !== undefined) return problem
    if (typeof passesOn?.from === 'number' && rest !== undefined) break
  }
  return { operands, options: given, end: index, rest, namesOther, isUncertain }
}

function valuesOf(
  { values }: Option,
  attached: string | undefined,
  words: readonly string[],
  index: number,
): readonly string[] {
  if (values === 'none') return []
  if (attached !== undefined) return [attached]
  return values === 'attached' ? [] : words.slice(index + 1, index + (values === 'two' ? 3 : 2))
}

/** Whether some programs would not take a word for a value, since it begins as an option does. */
function isLikeOption(value: string, syntax: Syntax): boolean {
  return syntax !== 'single-dash' && /^-(?!$|\d)/.test(value)
}

function unknownOption(option: string, name: string, words: readonly string[], index: number): HarmlessProblem {
  const pattern = `${words
    .slice(0, index + 1)
    .map(asWritten)
    .join(' ')}:*`
  return { problem: `the option ${quote(option)} of ${quote(name)} is not known to be harmless`, pattern }
}

function unknownWord(word: string, name: string): HarmlessProblem {
  return { problem: `${quote(word)} is not known to be harmless for ${quote(name)}` }
}

/** A word as it is written in a rule. */
function asWritten(word: string): string {
  return /^[\w./:,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
