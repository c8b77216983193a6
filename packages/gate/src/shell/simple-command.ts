import { LRUCache } from 'lru-cache'
import { type AndOr, parse, type PipelineNode, type Script, type Word } from 'unbash'
import { MAX_COMMAND_CHARS, MAX_HERE_DOCUMENTS, MAX_PATTERN_CHARS, isLongerThan } from '../limits.ts'
import { literalWord } from './word.ts'

/** Parses a text as a shell would; undefined where it is not in a shell's language, or too much of it. */
export function parseScript(text: string): Script | undefined {
  if (text.split('<<', MAX_HERE_DOCUMENTS + 2).length > MAX_HERE_DOCUMENTS + 1) return undefined
  try {
    const script = parse(text)
    return (script.errors?.length ?? 0) > 0 ? undefined : script
  } catch {
    // It is nested too deep for the parser.
    return undefined
  }
}

/** Parses a text when it is first asked for, and once. */
export type LazyScript = () => Script | undefined

/** What a model can do about a command that cannot be judged. */
export const PLAIN_COMMAND =
  'Call it with one plain command: no separators, redirects or expansions, special characters in single quotes.'

/** The words of one simple command, its program first; or a clause that says why it cannot be judged as one. */
export type SimpleCommand = { readonly words: readonly string[] } | { readonly problem: string }

/**
 * Reads a command line that has to be exactly one simple command of literal words. Two readers must agree: the parser says where the words of the one command are, `literalWord` reads each of them
 * again by itself, and between the words nothing but blanks may be left over (a comment, a redirect, a continuation).
 */
export function readSimpleCommand(text: string, script: LazyScript): SimpleCommand {
  const command = findCommand(text, script)
  if ('problem' in command) return command
  const words: string[] = []
  let end = 0
  for (const word of command.words) {
    if (!isBlank(text.slice(end, word.pos))) return { problem: LEFT_OVER }
    const literal = literalWord(text.slice(word.pos, word.end))
    if ('problem' in literal) return literal
    if (literal.value !== word.value) return { problem: UNREADABLE }
    words.push(literal.value)
    end = word.end
  }
  if (!isBlank(text.slice(end))) return { problem: LEFT_OVER }
  // A program's name in quotes names the same program, but only somebody who wants to hide it writes it so.
  if (!/^[\w.+/:@%,][\w.+/:@%,-]*$/.test(text.slice(command.words[0].pos, command.words[0].end))) {
    return { problem: 'does not name its program in plain letters, without quotes or escapes' }
  }
  return { words }
}

const COMPOUND = 'is a compound command'
const UNREADABLE = 'cannot be read as one shell command'
const LEFT_OVER = 'holds a separator, a comment or a line break outside quotes'

type CommandWords = { readonly words: readonly [Word, ...Word[]] } | { readonly problem: string }

function findCommand(text: string, script: LazyScript): CommandWords {
  if (text.length > MAX_COMMAND_CHARS) return { problem: isLongerThan(MAX_COMMAND_CHARS) }
  if (isBlank(text)) return { problem: 'is empty' }
  if (/(?![\n\t])\p{Cc}|\p{Cs}/u.test(text)) return { problem: 'holds control characters' }
  // An interactive shell looks for its history in each line, before it knows that a quote from above is still open.
  const firstBreak = text.indexOf('\n')
  if (firstBreak >= 0 && (text.includes('!', firstBreak) || text.includes('\n^')))
    return { problem: 'holds "!", or "^" at the beginning, in a line after the first' }
  const parsed = script()
  if (parsed === undefined) return { problem: UNREADABLE }
  const [statement, ...others] = parsed.commands
  if (statement === undefined) return { problem: 'holds no command' }
  if (others.length > 0) return { problem: COMPOUND }
  if (statement.background === true) return { problem: 'runs in the background' }
  return wordsOf(statement.command)
}

function wordsOf(command: PipelineNode | AndOr): CommandWords {
  if (command.type === 'AndOr' || command.type === 'Pipeline') return { problem: COMPOUND }
  if (command.type !== 'Command') return { problem: 'is shell syntax and not a simple command' }
  if (command.redirects.length > 0) return { problem: 'redirects input or output' }
  if (command.prefix.length > 0 || command.name === undefined) return { problem: 'sets a variable' }
  const words: [Word, ...Word[]] = [command.name]
  for (const part of command.suffix) {
    if (part.type !== 'Word') return { problem: 'sets a variable' }
    words.push(part)
  }
  return { words }
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text)
}

/** A rule's pattern for a shell command: `npm test` for exactly these words, `git push:*` for all that begin so. */
export interface CommandPattern {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Patterns as they were read, `false` where they cannot be: all that are in force are compared with every command. */
const known = new LRUCache<string, CommandPattern | false>({ max: 500, memoMethod: parsePattern })

/** Reads the words of a pattern as those of a command are read; undefined where they are not one simple command. */
export function readCommandPattern(pattern: string): CommandPattern | undefined {
  return (pattern.length <= MAX_PATTERN_CHARS && known.memo(pattern)) || undefined
}

function parsePattern(pattern: string): CommandPattern | false {
  const text = pattern.trim()
  const isPrefix = /:\*$|[ \t]\*$/.test(text)
  const line = isPrefix ? text.slice(0, -':*'.length) : text
  const command = readSimpleCommand(line, () => parseScript(line))
  return 'words' in command && { words: command.words, isPrefix }
}
