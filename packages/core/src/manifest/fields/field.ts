import type { Manifest, Profile } from '../../ports/manifest.ts'
import type { StringCopier } from '../../text/copy-string.ts'
import type { Report } from '../diagnostics.ts'
import type { Shape } from './shape.ts'
import type { YamlNode } from '../yaml/tree.ts'
import type { PatternChecker } from './trigger-pattern.ts'

/** Where a field stands and what its rule depends on. */
export interface FieldContext {
  readonly key: string
  readonly line: number
  /** Absent: the name is not compared with it. */
  readonly folderName?: string | undefined
  readonly profile: Profile
  readonly report: Report
  /**
   * Judges trigger patterns. Absent: it is not loaded, since next to no skill has one; a rule that needs it then says so
   * in `needsPatterns`, and the field is read again once it is there.
   */
  readonly patterns?: PatternChecker | undefined
  needsPatterns?: boolean
}

/** The context of all fields of one file: thousands of files are read before anything else can happen. */
export interface FileContext extends FieldContext {
  key: string
  line: number
  readonly copyString: StringCopier
}

/**
 * Reads one field's value and reports what is wrong with it. Returns the manifest's part, or undefined where the field
 * does not take the value, so that it is kept under `extra`.
 */
type FieldRule = (node: YamlNode, context: FieldContext) => Partial<Manifest> | undefined

/**
 * All that is known of a field of the frontmatter. A new one takes three files: its property in `ports/manifest.ts`, with
 * a default if it has one, its record in a file of this folder, and its line in `FIELDS`.
 */
export interface Field {
  /** The manifest's property that it is read into. */
  readonly property: keyof Manifest
  /** `standard`: the Agent Skills specification. `extension`: ours or another client's, unknown in `strict`. */
  readonly origin: 'standard' | 'extension'
  /** What it means, in a sentence, for people who write it. */
  readonly summary: string
  /** What it takes. The rule goes by the same limits and words, and the JSON Schema is made of it. */
  readonly shape: Shape
  readonly rule: FieldRule
  /** What a field without a value means. Absent: the rule decides. */
  readonly empty?: Partial<Manifest>
  /** What is written for it; undefined where it is left out. Absent: the property's value, unless it is the default. */
  readonly written?: (manifest: Manifest) => unknown
  /** Programs act on it, so that characters that are not shown are refused instead of reported. */
  readonly machineRead?: boolean
  /** Its rule looks for characters that are not shown itself: it refuses more of them, and says more. */
  readonly looksForHidden?: boolean
  /** It takes rights or visibility away, so that a misspelling of its name must not pass as an unknown field. */
  readonly restricts?: boolean
}
