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
 * Reads one field's value. It reports what is wrong and gives the manifest's part; nothing where the value is not
 * one that the field takes, so that it is kept under `extra`.
 */
type FieldRule = (node: YamlNode, context: FieldContext) => Partial<Manifest> | undefined

export interface Field {
  /** `standard`: the Agent Skills specification. `extension`: ours or another client's, unknown in `strict`. */
  readonly origin: 'standard' | 'extension'
  /** What it means, in a sentence, for people who write it. */
  readonly summary: string
  /** What it takes. The rule goes by the same limits and words, and the JSON Schema is made of it. */
  readonly shape: Shape
  readonly rule: FieldRule
  /** What a field without a value means. Absent: the rule decides. */
  readonly empty?: Partial<Manifest>
  /** Programs act on it, so that characters that are not shown are refused instead of reported. */
  readonly machineRead?: boolean
  /** Its rule looks for characters that are not shown itself: it refuses more of them, and says more. */
  readonly looksForHidden?: boolean
  /** It takes rights or visibility away, so that a misspelling of its name must not pass as an unknown field. */
  readonly restricts?: boolean
}
