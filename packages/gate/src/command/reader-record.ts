/**
 * A program, or a subcommand of one, that only reads and prints: with the options that are listed here, and with no
 * other. What runs another program, writes a file or loads code is not listed. Add an option in the one list of its
 * arity; `-#` is a number such as `-5`.
 */
export interface Reader {
  /** Options without a value. */
  readonly flags?: string
  /** Options with a value, glued to it or as the next word. */
  readonly values?: string
  /** Options with two values, as the next words. */
  readonly pairs?: string
  /** Options whose value, if there is one, is glued: `--color=always`, `-U3`. */
  readonly optional?: string
  /** How many operands there may be. Absent: any number. */
  readonly operands?: number
  readonly operand?: RegExp
  /**
   * `words`: every word is printed. `format`: all behind the first operand is printed. `expression`: an option is a
   * whole word, nothing is glued to it, and its value is the next word, whatever that begins with.
   */
  readonly syntax?: 'words' | 'format' | 'expression'
  /** Commands for the page of readers, and for a test that runs them. */
  readonly examples: readonly string[]
}
