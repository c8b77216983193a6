/**
 * The values that a field accepts, as plain data: its rule reads the limits from here, and the JSON Schema is generated
 * from it, so that a limit is changed in one place. What data cannot express (the grammar of a tool rule) is a separate
 * kind.
 */
export type Shape =
  | TextShape
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'integer' }
  | { readonly kind: 'flag' }
  /** A mapping of names to text; numbers, booleans and nulls keep their spelling. */
  | { readonly kind: 'spellings' }
  /** Words: a list, or one string with commas between them. Numbers and booleans keep their spelling. */
  | { readonly kind: 'words' }
  | TextsShape
  /** Tool rules: one string with blanks between them. With `lists`, commas and lists are accepted too. */
  | { readonly kind: 'rules'; readonly lists: boolean }
  | MappingShape
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  /** The JSON Schema of an object, or the short form of one. */
  | { readonly kind: 'parameters' }
  /** Text that is not blank, or the flow list that YAML reads from `[file]`. */
  | { readonly kind: 'hint' }

export interface TextShape {
  readonly kind: 'text'
  /** In code points, without blanks at the ends. 1: not blank. Default 0. */
  readonly min?: 1
  /** In code points. */
  readonly max?: number
  /** A regular expression, to be used with the flag `u`, that the text has to match. */
  readonly pattern?: string
  /** Its Unicode normalization form. */
  readonly normalized?: 'NFKC'
}

/** One text or a list of them, none blank. */
interface TextsShape {
  readonly kind: 'texts'
  /** A regular expression, to be used with the flag `u`, that each text has to match. */
  readonly pattern?: string
}

/** A mapping with known keys, each of which may be absent or have no value. */
interface MappingShape {
  readonly kind: 'mapping'
  readonly entries: Readonly<Record<string, Shape>>
  /** The least number of keys. */
  readonly min: 0 | 1
}

/** Text that is not blank. */
export const FILLED = { kind: 'text', min: 1 } as const satisfies TextShape
