import { expandedWords } from './expanded.ts'
import { mutatedByCommand } from './mutated-by-command.ts'
import type { MutatedPath } from './mutated-path.ts'
import { parseScript } from './script.ts'
import { readSimpleCommand, type SimpleCommand } from './simple-command.ts'

/** A command line and what the gate wants to know of it. It is parsed once, and only when something is asked of it. */
export interface CommandLine {
  readonly text: string
  /** The words of the one simple command that it is, or why it is not one. */
  readonly simpleCommand: SimpleCommand
  /** The words in it that a shell may expand to names of files, as patterns. See `expandedWords`. */
  readonly expandedWords: readonly string[]
  /** The paths that it moves or removes, or puts something in the place of. See `mutatedByCommand`. */
  readonly mutatedPaths: readonly MutatedPath[]
}

/** Reads a command line, each property when it is first asked for. */
export function readCommandLine(text: string): CommandLine {
  const script = once(() => parseScript(text))
  const simpleCommand = once(() => readSimpleCommand(text, script))
  const expanded = once(() => expandedWords(text, script))
  const mutatedPaths = once(() => mutatedByCommand(text, script))
  return {
    text,
    get simpleCommand() {
      return simpleCommand()
    },
    get expandedWords() {
      return expanded()
    },
    get mutatedPaths() {
      return mutatedPaths()
    },
  }
}

function once<T>(read: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: read() }).value
}
