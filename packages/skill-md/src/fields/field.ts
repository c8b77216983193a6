import type { Manifest, Profile } from '../ports/manifest.ts'
import type { Report } from '../diagnostics.ts'
import type { Shape } from './shape.ts'
import type { YamlNode } from '../yaml/tree.ts'
import type { PatternChecker } from './trigger-pattern.ts'

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
 * The definition of a frontmatter field. To add one, change three files: its property in `ports/manifest.ts`, with a
 * default if it has one; its definition in a file of this folder; and its line in `FIELDS`.
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
  /**
   * Of a restricting field with a short name: whether a value shows that the field is meant, under a key that almost spells
   * it. Such a key alone may be another word.
   */
  readonly isMeantBy?: (value: YamlNode) => boolean
  /** It changes nothing about what the skill is, may do or who sees it: `lenient` leaves it out if it cannot be read. */
  readonly dispensable?: boolean
}
