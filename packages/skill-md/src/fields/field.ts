import type { RE2JS } from 're2js'
import type { Report } from '../diagnostics.ts'
import type { Manifest, Profile } from '../ports/manifest.ts'
import type { YamlNode } from '../yaml/tree.ts'

/** A compiled pattern; or why it has no effect: a clause to follow the pattern in a message, and a hint. */
export type CheckedPattern = { readonly engine: RE2JS } | { readonly problem: string; readonly hint: string }

/** Checks the patterns of one skill: returns a result for each of the first `MAX_PATTERNS`, in order. */
export type PatternChecker = (patterns: readonly string[]) => readonly CheckedPattern[]

/** The position of a field, and what its rule depends on. */
export interface FieldContext {
  readonly key: string
  readonly line: number
  /** Absent: the name is not compared with it. */
  readonly folderName?: string | undefined
  readonly profile: Profile
  readonly report: Report
  /**
   * Checks trigger patterns. Absent: it is not loaded, since few skills have patterns. A rule that needs it then sets
   * `needsPatterns`, and the manifest is read again once it is loaded.
   */
  readonly patterns?: PatternChecker | undefined
  needsPatterns?: boolean
}

/** One context object for all fields of a file: it is changed for each field, since a scan reads thousands of files. */
export interface FileContext extends FieldContext {
  key: string
  line: number
}

/**
 * Reads one field's value and reports what is wrong with it. Returns a part of the manifest, or undefined if the field
 * does not accept the value, which is then kept under `extra`.
 */
type FieldRule = (node: YamlNode, context: FieldContext) => Partial<Manifest> | undefined

/**
 * The definition of a frontmatter field. To add one, change two files: its property in `ports/manifest.ts`, with a
 * default if it has one; and its definition in a table of fields in this folder.
 */
export interface Field {
  /** The manifest's property that it is read into. */
  readonly property: keyof Manifest
  /** `standard`: from the Agent Skills specification. `extension`: from here or another client, unknown in `strict`. */
  readonly origin: 'standard' | 'extension'
  /** Its meaning in a sentence, for authors of skills. */
  readonly summary: string
  /** The values that it accepts. The rule uses the limits in it, and the JSON Schema is generated from it. */
  readonly shape: Shape
  readonly rule: FieldRule
  /** The meaning of the field without a value. Absent: the rule decides. */
  readonly empty?: Partial<Manifest>
  /** Returns the value to render; undefined to leave it out. Absent: the property's value, unless it is the default. */
  readonly written?: (manifest: Manifest) => unknown
  /** Programs act on the value, so invisible characters in it are an error instead of a warning. */
  readonly machineRead?: boolean
  /** Its rule itself checks for invisible characters: it refuses more of them, with more specific messages. */
  readonly looksForHidden?: boolean
  /** It restricts rights or visibility, so a misspelling of its name must not pass as an unknown field. */
  readonly restricts?: boolean
  /** It changes nothing about what the skill is, may do or who sees it: `lenient` leaves it out if it cannot be read. */
  readonly dispensable?: boolean
}

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
