import { quote } from '@repertoire/skill-md/internal'
import { findHarmless, usesOf } from '../allow/harmless/programs.ts'
import { isSameInAllShells } from '../shell-input.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { uncoveredUse } from '../shell/prefix.ts'
import {
  END,
  mayBeUserDefined,
  mayMeanWord,
  NPM_SCRIPTS,
  otherNames,
  type ReadOtherNames,
  RUNS,
  spellingsOf,
} from '../shell/programs/other-names/compare.ts'
import { findProgram, programName, programNames } from '../shell/programs/programs.ts'
import { PLAIN_COMMAND, readCommandPattern } from '../shell/simple-command.ts'
import { type DenialCheck, deniedByAll } from './path.ts'

/**
 * Checks a shell command. A pattern means its command with whatever else it is called with, with its options in any position. What
 * is not exactly one simple command of literal words may contain it; so may a command that hands words on to another
 * program, or to the shell. A program that is a language of its own (`python3 -c`) can run anything: to deny that, the
 * rule has to name it.
 * @param isPosix whether a POSIX shell certainly reads it
 */
export function denyCommand({ text, simpleCommand }: CommandLine, isPosix: boolean): DenialCheck {
  if (!isPosix && !isSameInAllShells(text)) {
    return deniedByAll(
      `the command ${quote(text)} may not be read by a POSIX shell, so that it may be meant`,
      'Call it with plain words: letters, digits, dots, slashes and dashes.',
    )
  }
  if ('problem' in simpleCommand) {
    return deniedByAll(`the command ${quote(text)} ${simpleCommand.problem}, so that rule may apply`, PLAIN_COMMAND)
  }
  const handsOn = uncoveredUse(simpleCommand.words, 1)
  const words = withModules(simpleCommand.words).map((word) => word.toLowerCase())
  const lines = [
    words,
    ...words.map(splitWord).filter((pieces, index) => pieces.length > 1 || pieces[0] !== words[index]),
  ]
  return (pattern) => {
    const wanted = readCommandPattern(pattern)?.words.map((word) => word.toLowerCase())
    if (wanted === undefined) return { why: `it is uncertain what the pattern ${quote(pattern)} matches` }
    const spellings = spellingsOf(wanted)
    if (lines.some((line) => spellings.some((spelling) => mayRun(spelling, line)))) {
      return { why: `the command ${quote(text)} may match it` }
    }
    return handsOn === undefined
      ? undefined
      : { why: `in the command ${quote(text)}, ${handsOn}, so that rule may apply` }
  }
}

/** The words of a command, with the module of `python -mpip` as a word too. */
function withModules(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /^(?:python|pypy|py$)/.test(programName(word)))) return words
  return words.flatMap((word) => [word, ...(/^-[A-Za-z]*?m(\w+)/.exec(word)?.slice(1) ?? [])])
}

/** The words of a word that may be a command line of its own: `--exec=git push`, `os.system("git push")`. */
function splitWord(word: string): readonly string[] {
  return word.split(/[\s;&|()<>`$'"=,:{}[\]\\]+/).filter((piece) => piece !== '')
}

/** Whether the words of a rule stand among those of a command in their order, the program first. */
function mayRun([program = '', ...rest]: readonly string[], words: readonly string[]): boolean {
  const names = new Set(programNames(program))
  const others = otherNames(program)
  const isWrapped = findProgram(words[0]!)?.wraps !== undefined
  return words.some((word, index) => {
    const name = programName(word)
    const after = words.slice(index + 1)
    if (names.has(name) || programNames(word).some((each) => names.has(each))) {
      if (inOrder(rest, withBundledOptions(program, after), others)) return true
      const subcommand = after.find((each) => !/^[-+]/.test(each))
      const isRun = index === 0 || isWrapped
      return (
        isRun &&
        subcommand !== undefined &&
        (mayBeUserDefined(subcommand, others) || mayRunScript(programName(program), rest, subcommand))
      )
    }
    // `git-push` is `git push` in a file of its own.
    const [first, ...behind] = rest
    if (first === undefined && HAVE_PARTS.test(name) && names.has(name.split('-', 1)[0]!)) return true
    return (
      first !== undefined && name === programName(`${programName(program)}-${first}`) && inOrder(behind, after, others)
    )
  })
}

/** Whether the rule denies scripts, and a subcommand runs one although it says nothing of that. */
function mayRunScript(program: string, rule: readonly string[], subcommand: string): boolean {
  if (rule.length !== 1 || !RUNS.test(rule[0]!)) return false
  if (/^c?npm$/.test(program)) return rule[0] !== 'exec' && NPM_SCRIPTS.test(subcommand)
  const known = findHarmless(program)
  const uses = known && usesOf(known)
  return uses?.has('*') === true && !uses.has(subcommand)
}

/** Programs of which other files, named after them, are parts. */
const HAVE_PARTS = /^(?:git|docker|kubectl|cargo|helm)-/

/** `tar xf` has its options in a word without a dash. */
function withBundledOptions(program: string, words: readonly string[]): readonly string[] {
  const [first, ...others] = words
  const isBundled = findProgram(program)?.unsafe?.bundled === true && first !== undefined && !first.startsWith('-')
  return isBundled ? [first, `-${first}`, ...others] : words
}

function inOrder(wanted: readonly string[], words: readonly string[], names: ReadOtherNames): boolean {
  // Options may stand anywhere after their command, and so may their values. Other words stand in their order.
  const options = wanted.filter(isOption)
  if (!options.every((option) => mayHaveOption(option, words))) return false
  let at = 0
  for (const [index, word] of wanted.entries()) {
    if (word.startsWith('-')) continue
    if (word === END) return words.slice(at).every(isOption)
    if (isOption(wanted[index - 1] ?? '')) {
      if (words.some((given) => mayBeValue(given, word) || mayMeanWord(given, word, names))) continue
      return false
    }
    const found = words.findIndex((given, place) => place >= at && mayMeanWord(given, word, names))
    if (found < 0) return false
    at = found + 1
  }
  return true
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && word !== '--'
}

/** Whether a word holds the value of an option: `--access=public`, `-nprod`. */
function mayBeValue(given: string, value: string): boolean {
  return given.startsWith('-') && given.endsWith(given.startsWith('--') ? `=${value}` : value)
}

/** Whether a command may have an option: in full, abbreviated, among other letters, or by its other name. */
function mayHaveOption(option: string, words: readonly string[]): boolean {
  const given = words.filter(isOption)
  if (!option.startsWith('--')) {
    // A long option may be its other name. Letters may stand together or apart.
    if (given.some((word) => word.startsWith('--'))) return true
    const letters = new Set(given.flatMap((word) => Array.from(word.slice(1))))
    return Array.from(option.slice(1)).every((letter) => letters.has(letter))
  }
  const name = foldOption(option)
  return given.some((word) => !word.startsWith('--') || name.startsWith(foldOption(word)))
}

/** Some programs take `--dryRun` and `--dry_run` for `--dry-run`. */
function foldOption(word: string): string {
  return word.split('=', 1)[0]!.replaceAll(/[-_]/g, '')
}
