import { expandedWords, type LocatedWords, locatedWords } from './file-words.ts'
import { mutatedByCommand } from './mutations.ts'
import type { MutatedPath } from './programs/program.ts'
import { parseScript, readSimpleCommand, type SimpleCommand } from './simple-command.ts'

/** A command line and what the gate wants to know of it. It is parsed once, and only when something is asked of it. */
export interface CommandLine {
  readonly text: string
  /** The words of the one simple command that it is, or why it is not one. */
  readonly simpleCommand: SimpleCommand
  /** The words in it that a shell may expand to names of files, as patterns. See `expandedWords`. */
  readonly expandedWords: readonly string[]
  /** Its words with the folders that their commands may run in. See `locatedWords`. */
  readonly locatedWords: readonly LocatedWords[]
  /** The paths that it moves or removes, or puts something in the place of. See `mutatedByCommand`. */
  readonly mutatedPaths: readonly MutatedPath[]
}

/** Reads a command line, each property when it is first asked for. */
export function readCommandLine(text: string): CommandLine {
  const script = once(() => parseScript(text))
  const simpleCommand = once(() => readSimpleCommand(text, script))
  const expanded = once(() => expandedWords(text, script))
  const located = once(() => locatedWords(text, script))
  const mutated = once(() => mutatedByCommand(text, script))
  return {
    text,
    get simpleCommand() {
      return simpleCommand()
    },
    get expandedWords() {
      return expanded()
    },
    get locatedWords() {
      return located()
    },
    get mutatedPaths() {
      return mutated()
    },
  }
}

function once<T>(read: () => T): () => T {
  let found: { readonly value: T } | undefined
  return () => (found ??= { value: read() }).value
}
