import type { Manifest, Profile } from '../types.ts'
import type { Report } from './diagnostics.ts'
import type { YamlNode } from './tree.ts'

/** Where a field stands and what its rule depends on. */
export interface FieldContext {
  readonly key: string
  readonly line: number
  /** Absent: the name is not compared with it. */
  readonly folderName?: string | undefined
  readonly profile: Profile
  readonly report: Report
}

/**
 * Reads one field's value. It reports what is wrong and gives the manifest's part; nothing where the value is not
 * one that the field takes, so that it is kept under `extra`.
 */
export type FieldRule = (node: YamlNode, context: FieldContext) => Partial<Manifest> | undefined

export interface Field {
  /** `standard`: the Agent Skills specification. `extension`: ours, unknown in `strict`. */
  readonly origin: 'standard' | 'extension'
  readonly rule: FieldRule
  /** What a field without a value means. Absent: the rule decides. */
  readonly empty?: Partial<Manifest>
  /** Programs act on it, so that characters that are not shown are refused instead of reported. */
  readonly machineRead?: boolean
  /** It takes rights or visibility away, so that a misspelling of its name must not pass as an unknown field. */
  readonly restricts?: boolean
}
