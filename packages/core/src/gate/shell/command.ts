import type { parse as Parse, PipelineNode, AndOr, Word } from 'unbash'
import { literalWord } from './word.ts'

const MAX_COMMAND_CHARS = 10_000

/** The words of one simple command, its program first; or a clause that says why it is none that can be judged. */
type Reading = { readonly words: readonly string[] } | { readonly problem: string }

/** Reads a command line. Anything but exactly one simple command of literal words is a problem. */
export type CommandReader = (source: unknown) => Reading

/** The reader, with the shell parser, which is loaded when the first command is judged. */
export async function loadCommandReader(): Promise<CommandReader> {
  const { parse } = await import('unbash')
  return (source) => readCommand(source, parse)
}

/**
 * Two readers must agree: the parser says where the words of the one command are, `literalWord` reads each of them
 * again by itself, and between the words nothing but blanks may be left over (a comment, a redirect, a continuation).
 */
function readCommand(source: unknown, parse: typeof Parse): Reading {
  const command = simpleCommand(source, parse)
  if ('problem' in command) return command
  const words: string[] = []
  let end = 0
  for (const word of command.words) {
    if (!isBlank(command.source.slice(end, word.pos))) return { problem: LEFT_OVER }
    const literal = literalWord(command.source.slice(word.pos, word.end))
    if ('problem' in literal) return literal
    if (literal.value !== word.value) return { problem: UNREADABLE }
    words.push(literal.value)
    end = word.end
  }
  if (!isBlank(command.source.slice(end))) return { problem: LEFT_OVER }
  // A program's name in quotes names the same program, but nobody writes it so who does not mean to hide it.
  if (!/^[\w.+/:@%,][\w.+/:@%,-]*$/.test(command.source.slice(command.words[0]!.pos, command.words[0]!.end))) {
    return { problem: 'does not name its program in plain letters, without quotes or escapes' }
  }
  return { words }
}

const COMPOUND = 'is a compound of several'
const UNREADABLE = 'cannot be read as one shell command'
const LEFT_OVER = 'holds a separator, a comment or a line break outside quotes'

function simpleCommand(
  source: unknown,
  parse: typeof Parse,
): { readonly source: string; readonly words: readonly Word[] } | { readonly problem: string } {
  if (typeof source !== 'string') return { problem: 'is no text' }
  if (source.length > MAX_COMMAND_CHARS) return { problem: 'is longer than 10,000 characters' }
  if (isBlank(source)) return { problem: 'is empty' }
  if (/(?![\n\t])\p{Cc}|\p{Cs}/u.test(source)) return { problem: 'holds control characters' }
  // An interactive shell looks for its history in each line, before it knows that a quote from above is still open.
  const firstBreak = source.indexOf('\n')
  if (firstBreak >= 0 && (source.includes('!', firstBreak) || source.includes('\n^')))
    return { problem: 'holds "!", or "^" at the beginning, in a line after the first' }
  try {
    const script = parse(source)
    if ((script.errors?.length ?? 0) > 0) return { problem: UNREADABLE }
    const [statement, ...others] = script.commands
    if (statement === undefined) return { problem: 'holds no command' }
    if (others.length > 0) return { problem: COMPOUND }
    if (statement.background === true) return { problem: 'runs in the background' }
    return wordsOf(source, statement.command)
  } catch {
    // A parser that gives up has found no simple command.
    return { problem: UNREADABLE }
  }
}

function wordsOf(
  source: string,
  command: PipelineNode | AndOr,
): { readonly source: string; readonly words: readonly Word[] } | { readonly problem: string } {
  if (command.type === 'AndOr' || command.type === 'Pipeline') return { problem: COMPOUND }
  if (command.type !== 'Command') return { problem: 'is shell syntax and no simple command' }
  if (command.redirects.length > 0) return { problem: 'redirects input or output' }
  if (command.prefix.length > 0 || command.name === undefined) return { problem: 'sets a variable' }
  const words: Word[] = [command.name]
  for (const part of command.suffix) {
    if (part.type !== 'Word') return { problem: 'sets a variable' }
    words.push(part)
  }
  return { source, words }
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text)
}
