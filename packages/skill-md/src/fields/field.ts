import type { RE2JS } from 're2js'
import type { z } from 'zod'
import type { Report } from '../diagnostics.ts'
import type { Manifest, Profile } from '../ports/manifest.ts'
import type { YamlNode } from '../yaml/tree.ts'

/** A compiled pattern; or why it has no effect: a clause to follow the pattern in a message, and a hint. */
export type CheckedPattern = { readonly engine: RE2JS } | { readonly problem: string; readonly hint: string }

/** Checks the patterns of one skill: returns a result for each, in order. */
export type PatternChecker = (patterns: readonly string[]) => readonly CheckedPattern[]

/**
 * The position of a field, and what its rule depends on. One object for all fields of a file: it is changed for each
 * field, since a scan reads thousands of files.
 */
export interface FieldContext {
  key: string
  line: number
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

/**
 * The definition of a frontmatter field. To add one, change two files: its property in `ports/manifest.ts`, named like
 * the field in camel case, with a default if it has one; and its definition in a table of fields in this folder.
 */
export interface Field {
  /** Its meaning in a sentence, for authors of skills. */
  readonly summary: string
  /** Returns the zod schema of its values, from which the JSON Schema is generated. */
  readonly schema: (zod: typeof z) => z.ZodType
  /**
   * Reads the value and reports what is wrong with it. Returns the value of the manifest's property; null to leave the
   * property out; undefined if the field does not accept the value, which is then kept under `extra`.
   */
  readonly rule: (node: YamlNode, context: FieldContext) => Manifest[keyof Manifest] | null
  /** What the field means without a value. Default: as if it were absent. `judged`: its rule decides. */
  readonly empty?: 'judged' | readonly []
  /** Returns the value to render; undefined to leave it out. Absent: the property's value, unless it is the default. */
  readonly written?: (manifest: Manifest) => unknown
  /**
   * Only people and models read it: invisible characters in it are a warning instead of an error, and `lenient` leaves
   * it out if it cannot be read.
   */
  readonly isProse?: boolean
  /** It restricts rights or visibility, so a misspelling of its name must not pass as an unknown field. */
  readonly restricts?: boolean
}
