import { quote } from '../../text/quote.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { readCommandPattern } from '../shell/command-pattern.ts'
import { uncoveredUse } from '../shell/prefix.ts'
import { programName } from '../shell/programs/programs.ts'
import { PLAIN_COMMAND } from '../shell/simple-command.ts'
import { deniedByAll, type DenialCheck } from './denial.ts'

/**
 * Checks a shell command. A pattern means its command with whatever else it is called with, with its options in any position. What
 * is not exactly one simple command of literal words may contain it; so may a command that hands words on to another
 * program, or to the shell. A program that is a language of its own (`python3 -c`) can run anything: to deny that, the
 * rule has to name it.
 */
export function denyCommand({ text, simpleCommand }: CommandLine): DenialCheck {
  if ('problem' in simpleCommand) {
    return deniedByAll(`the command ${quote(text)} ${simpleCommand.problem}, so that rule may apply`, PLAIN_COMMAND)
  }
  const handsOn = uncoveredUse(simpleCommand.words, 1)?.why
  const words = simpleCommand.words.map((word) => word.toLowerCase())
  const lines = [
    words,
    ...words.map(splitWord).filter((pieces, index) => pieces.length > 1 || pieces[0] !== words[index]),
  ]
  return (pattern) => {
    const wanted = readCommandPattern(pattern)?.words.map((word) => word.toLowerCase())
    if (wanted === undefined) return { why: `it is uncertain what the pattern ${quote(pattern)} matches` }
    if (lines.some((line) => mayRun(wanted, line))) return { why: `the command ${quote(text)} may match it` }
    return handsOn === undefined
      ? undefined
      : { why: `in the command ${quote(text)}, ${handsOn}, so that rule may apply` }
  }
}

/** The words of a word that may be a command line of its own: `--exec=git push`, `os.system("git push")`. */
function splitWord(word: string): readonly string[] {
  return word.split(/[\s;&|()<>`$'"=,:{}[\]\\]+/).filter((piece) => piece !== '')
}

/** Whether the words of a rule stand among those of a command in their order, the program first. */
function mayRun([program = '', ...rest]: readonly string[], words: readonly string[]): boolean {
  return words.some((word, index) => {
    const name = programName(word)
    const after = words.slice(index + 1)
    if (name === programName(program)) return inOrder(rest, after)
    // `git-push` is `git push` in a file of its own.
    const [first, ...others] = rest
    return first !== undefined && name === programName(`${programName(program)}-${first}`) && inOrder(others, after)
  })
}

function inOrder(wanted: readonly string[], words: readonly string[]): boolean {
  // Options may stand anywhere after their command, other words only in their order.
  const options = wanted.filter((word) => word.startsWith('-'))
  if (!options.every((option) => mayHaveOption(option, words))) return false
  let at = 0
  for (const word of wanted) {
    if (word.startsWith('-')) continue
    const found = words.indexOf(word, at)
    if (found < 0) return false
    at = found + 1
  }
  return true
}

/** Whether a command may have an option: in full, abbreviated, among other letters, or by its other name. */
function mayHaveOption(option: string, words: readonly string[]): boolean {
  const given = words.filter((word) => word.startsWith('-') && word !== '-' && word !== '--')
  if (!option.startsWith('--')) {
    // A long option may be its other name. Letters may stand together or apart.
    if (given.some((word) => word.startsWith('--'))) return true
    const letters = new Set(given.flatMap((word) => Array.from(word.slice(1))))
    return Array.from(option.slice(1)).every((letter) => letters.has(letter))
  }
  const [name = ''] = option.split('=', 1)
  return given.some((word) => !word.startsWith('--') || name.startsWith(word.split('=', 1)[0]!))
}
