/** The names that a program accepts for the same subcommand, option or operand. */
export interface OtherNames {
  /**
   * One string for each group of equal names, separated by `|`: `install|i|add`. A name may have several words
   * (`image rm`). `*` matches any text, and a `$` at the end means that no word follows that is not an option.
   */
  readonly same: readonly string[]
  /**
   * Whether the program completes a beginning of a name, and each part of one (`c:c` for `cache:clear`). `letters`: it
   * completes any letters in their order (`pTML`). A name that is listed above is never an abbreviation.
   */
  readonly abbreviates?: 'beginnings' | 'letters'
  /** Separates several names in one word: `pods,secrets`, `secret/x`. */
  readonly separator?: RegExp
  /** Whether users can define names for subcommands, so that one that is not listed above may be any of them. */
  readonly userDefined?: true
}
