import type { SimpleCommandNode, WordNode } from 'just-bash'

/** A simple command, as far as its words are known before it runs. */
export interface SeenCommand {
  /** Its literal name. Absent: it is computed. */
  readonly name?: string
  /** Its arguments as text; what is computed stands in them as `COMPUTED`. */
  readonly args: readonly string[]
  readonly node: SimpleCommandNode
  readonly line: number
  /** Whether it is reached unless the script ends before, and nothing there handles its failure. */
  readonly certain: boolean
}

/** A word that is read as a pattern. */
export interface SeenPattern {
  readonly word: WordNode
  readonly where: 'case' | '[[ ]]'
  readonly line: number
}

/** What else is known to be read in another way. */
export interface SeenConstruct {
  readonly reason: string
  readonly line: number
}

/** What a script consists of. */
export interface SeenScript {
  readonly commands: readonly SeenCommand[]
  readonly patterns: readonly SeenPattern[]
  readonly constructs: readonly SeenConstruct[]
  /** Text that a pattern could come from: what is quoted, assigned or passed on. */
  readonly texts: readonly { readonly text: string; readonly line: number }[]
  readonly functions: ReadonlySet<string>
  /** Whether it says `set -e`. */
  readonly stopsAtErrors: boolean
}

/** What is computed, in the text of a word. */
export const COMPUTED = '\0'

/** The text of a word, with `COMPUTED` for what is known only when it runs. */
export function wordText(word: WordNode): string {
  return word.parts.map(partText).join('')
}

/** Whether a word holds something that a shell expands to the names of files. */
export function hasGlob(word: WordNode): boolean {
  return word.parts.some(({ type }) => type === 'Glob' || type === 'BraceExpansion')
}

function partText(part: WordNode['parts'][number]): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return part.value
    case 'DoubleQuoted':
      return part.parts.map(partText).join('')
    case 'Glob':
      return part.pattern
    default:
      return COMPUTED
  }
}
