import { MAX_PATTERN_CHARS } from '../glob.ts'
import { type CommandReader, loadCommandReader } from '../shell/command.ts'
import { PLAIN_COMMAND, readRule } from '../shell/compare.ts'
import { uncoveredUse } from '../shell/prefix.ts'
import { programName } from '../shell/programs/programs.ts'
import { quote } from '../wording.ts'
import type { Denier } from './denial.ts'

/**
 * A shell command. A pattern means its command with whatever else it is called with, wherever options stand. What is
 * not exactly one simple command of literal words may contain it; so may a command that hands words on to another
 * program, or to the shell. A program that is a language of its own (`python3 -c`) can run anything: whoever means to
 * take that away names it.
 */
export async function denyCommand(value: string): Promise<Denier> {
  const read = await loadCommandReader()
  const command = read(value)
  if ('problem' in command) {
    return () => ({
      why: `the command ${quote(value)} ${command.problem}, so that it may be meant`,
      hint: PLAIN_COMMAND,
    })
  }
  const handed = uncoveredUse(command.words, 1)?.why
  const words = command.words.map((word) => word.toLowerCase())
  const lines = [
    words,
    ...words.map(piecesOf).filter((pieces, index) => pieces.length > 1 || pieces[0] !== words[index]),
  ]
  return (pattern) => {
    const rule = wordsOf(pattern, read)
    if (rule === undefined) return { why: `what the pattern ${quote(pattern)} means is not certain` }
    if (lines.some((line) => mayBe(rule, line))) return { why: `the command ${quote(value)} may be what it means` }
    return handed === undefined
      ? undefined
      : { why: `in the command ${quote(value)}, ${handed}, so that it may be meant` }
  }
}

function wordsOf(pattern: string, read: CommandReader): readonly string[] | undefined {
  const rule = pattern.length > MAX_PATTERN_CHARS ? undefined : readRule(pattern, read)
  return rule?.words.map((word) => word.toLowerCase())
}

/** What a word is made of that may be a command line of its own: `--exec=git push`, `os.system("git push")`. */
function piecesOf(word: string): readonly string[] {
  return word.split(/[\s;&|()<>`$'"=,:{}[\]\\]+/).filter((piece) => piece !== '')
}

/** Whether the words of a rule stand among those of a command in their order, the program first. */
function mayBe([program = '', ...rest]: readonly string[], words: readonly string[]): boolean {
  return words.some((word, index) => {
    const name = programName(word)
    const after = words.slice(index + 1)
    if (name === programName(program)) return inOrder(rest, after)
    // `git-push` is `git push` in a file of its own.
    const [first, ...others] = rest
    return first !== undefined && name === `${programName(program)}-${first}` && inOrder(others, after)
  })
}

function inOrder(wanted: readonly string[], words: readonly string[]): boolean {
  // Options may stand anywhere behind their command, other words only behind each other.
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

/** Whether a command may have an option: written out, shortened, among other letters, or as its other name. */
function mayHaveOption(option: string, words: readonly string[]): boolean {
  const given = words.filter((word) => word.startsWith('-') && word !== '-' && word !== '--')
  if (!option.startsWith('--')) {
    // A long option may be the same by its other name. Letters may stand together or apart.
    if (given.some((word) => word.startsWith('--'))) return true
    const letters = new Set(given.flatMap((word) => Array.from(word.slice(1))))
    return Array.from(option.slice(1)).every((letter) => letters.has(letter))
  }
  const [name = ''] = option.split('=', 1)
  return given.some((word) => !word.startsWith('--') || name.startsWith(word.split('=', 1)[0]!))
}
