import type { Script } from 'unbash'
import { expandedWords } from './expanded.ts'
import { type LocatedWords, locatedWords } from './located-words.ts'
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
  /** Its words with the folders that their commands may run in. See `locatedWords`. */
  readonly locatedWords: readonly LocatedWords[]
  /** The paths that it moves or removes, or puts something in the place of. See `mutatedByCommand`. */
  readonly mutatedPaths: readonly MutatedPath[]
}

/** Reads a command line, each property when it is first asked for. */
export function readCommandLine(text: string): CommandLine {
  return new LazyCommandLine(text)
}

class LazyCommandLine implements CommandLine {
  readonly text: string
  #script: { readonly value: Script | undefined } | undefined
  #simpleCommand: SimpleCommand | undefined
  #expandedWords: readonly string[] | undefined
  #locatedWords: readonly LocatedWords[] | undefined
  #mutatedPaths: readonly MutatedPath[] | undefined
  readonly #parse = (): Script | undefined => (this.#script ??= { value: parseScript(this.text) }).value

  constructor(text: string) {
    this.text = text
  }

  get simpleCommand(): SimpleCommand {
    return (this.#simpleCommand ??= readSimpleCommand(this.text, this.#parse))
  }

  get expandedWords(): readonly string[] {
    return (this.#expandedWords ??= expandedWords(this.text, this.#parse))
  }

  get locatedWords(): readonly LocatedWords[] {
    return (this.#locatedWords ??= locatedWords(this.text, this.#parse))
  }

  get mutatedPaths(): readonly MutatedPath[] {
    return (this.#mutatedPaths ??= mutatedByCommand(this.text, this.#parse))
  }
}
