/** A word of a script's text, without its quotes. */
export interface Word {
  readonly text: string
  /** Whether it is in quotes, by itself or with what is around it. */
  readonly quoted: boolean
  /** Whether it is in quotes with other words: a part of a text that may be a command line of its own. */
  readonly inText: boolean
  /** Whether it comes after a bracket or a comma of its command: an element of a list, an argument of a function. */
  readonly listed: boolean
}

/** What stands between two ends of commands, by its pipes. */
export interface Command {
  /** 1-based: where it begins. */
  readonly line: number
  readonly stages: readonly (readonly Word[])[]
}

/** Characters of a word that are kept. */
const MAX_WORD_CHARS = 256

/**
 * Reads a script's text as commands, as far as that can be done without knowing its language: a shell's lines, and the
 * strings and lists that other languages pass to one. Quotes are left out, brackets and commas separate as blanks do, a
 * backslash joins lines, and lines that are comments are skipped. Reads each character a fixed number of times.
 */
export function* readCommands(text: string): Generator<Command> {
  const command = new CommandReader()
  let line = 1
  let index = 0
  let isLineStart = true
  while (index < text.length) {
    if (isLineStart) {
      isLineStart = false
      COMMENT.lastIndex = index
      index = COMMENT.test(text) ? COMMENT.lastIndex : index
    }
    const character = text[index++]
    if (character === undefined) break
    const next = text[index]
    switch (character) {
      case '\n':
        // A pipe at the end of a line goes on in the next one.
        if (!command.endsWithPipe()) yield command.take()
        command.line = ++line
        isLineStart = true
        break
      case '\\':
        if (next === '\r' && text[index + 1] === '\n') index++
        index++
        if (next === '\n' || next === '\r') line++
        if (next === '\n' || next === '\r' || next === 'n') command.endWord()
        else if (next !== undefined) command.add(next)
        break
      case '"':
      case "'":
        command.quote(character)
        break
      case '|':
      case '&':
        if (character === '|' && next !== '|') {
          // `|&` is a pipe too.
          if (next === '&') index++
          command.pipe()
          break
        }
        if (next === character) index++
        yield command.take()
        break
      case ';':
        yield command.take()
        break
      case '<':
      case '>':
        if (character === '>' && next === '|') index++
        command.operator(character)
        break
      case '(':
      case '[':
      case ',':
        command.list()
        break
      case ')':
      case ']':
      case '`':
        command.endWord()
        break
      default:
        // Runs of what is alike are taken at once: a script may hold megabytes.
        BLANK.lastIndex = index - 1
        if (BLANK.test(text)) {
          command.endWord()
          index = BLANK.lastIndex
        } else {
          PLAIN.lastIndex = index - 1
          PLAIN.test(text)
          command.add(text.slice(index - 1, Math.min(PLAIN.lastIndex, index + MAX_WORD_CHARS)))
          index = PLAIN.lastIndex
        }
    }
  }
  yield command.take()
}

const COMMENT = /[ \t]*(?:#|\/\/)[^\n]*/y
const BLANK = /[^\S\n]+/y
const PLAIN = /[^\s"'\\|&;<>()[\],`]+/y

class CommandReader {
  /** The line that is being read. */
  line = 1
  #began = 1
  #stages: Word[][] = [[]]
  #word = ''
  #hasWord = false
  #quoted = false
  #isListed = false
  /** The quotes that are open now, and those that were when the word began. */
  #open = ''
  #openBefore = ''

  add(part: string): void {
    this.#begin()
    if (this.#word.length < MAX_WORD_CHARS) this.#word += part
  }

  quote(character: string): void {
    this.#begin()
    this.#quoted = true
    if (this.#open === '') this.#open = character
    else if (this.#open === character) this.#open = ''
  }

  endWord(): void {
    if (this.#hasWord) this.#push(this.#word)
    this.#word = ''
    this.#hasWord = this.#quoted = false
  }

  operator(character: string): void {
    this.endWord()
    this.#beginCommand()
    this.#push(character)
  }

  list(): void {
    this.endWord()
    if (this.#stages.at(-1)!.length > 0) this.#isListed = true
  }

  pipe(): void {
    this.endWord()
    this.#stages.push([])
  }

  endsWithPipe(): boolean {
    this.endWord()
    return this.#stages.length > 1 && this.#stages.at(-1)!.length === 0
  }

  take(): Command {
    this.endWord()
    const command = { line: this.#began, stages: this.#stages }
    this.#stages = [[]]
    this.#isListed = false
    this.#open = ''
    return command
  }

  #begin(): void {
    if (this.#hasWord) return
    this.#hasWord = true
    this.#openBefore = this.#open
    this.#beginCommand()
  }

  #beginCommand(): void {
    if (this.#stages.length === 1 && this.#stages[0]!.length === 0) this.#began = this.line
  }

  #push(text: string): void {
    const before = this.#hasWord ? this.#openBefore : this.#open
    const inText = before !== '' || this.#open !== ''
    this.#stages.at(-1)!.push({ text, quoted: this.#quoted || inText, inText, listed: this.#isListed })
  }
}
