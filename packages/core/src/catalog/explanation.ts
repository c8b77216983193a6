import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillStatus } from '../ports/manifest.ts'
import type { Layer } from '../ports/skill.ts'
import type { Precedence } from './precedence.ts'
import type { HidingRule } from './view.ts'

/** What became of a skill, for one viewer. */
export type SkillFate = 'shown' | 'shadowed' | 'hidden' | 'inactive' | 'refused' | 'cut' | 'broken'

/** Why a candidate has its fate. */
export type FateReason =
  | {
      readonly type: 'shadowed'
      readonly by: { readonly path: string; readonly source: string }
      readonly decided: Precedence
    }
  | { readonly type: 'hidden'; readonly rule: HidingRule }
  | { readonly type: 'inactive'; readonly status: SkillStatus }
  /** The host's `admit` does not admit it; a sentence. */
  | { readonly type: 'refused'; readonly reason: string }
  /** It has no `allowed-tools`, and the host's `admit` gives it these. */
  | { readonly type: 'assumed'; readonly rules: readonly string[] }
  /** The list's budget had no room for the skill, for its description, or for its whole description. */
  | { readonly type: 'cut'; readonly cut: 'dropped' | 'withoutDescription' | 'shortened' }
  /** Rules of its `allowed-tools` mean none of the host's tools; `all`: none of its rules means any. */
  | { readonly type: 'unmatched'; readonly rules: readonly string[]; readonly all: boolean }
  /** Rules of its `allowed-tools` permit no call at all. */
  | { readonly type: 'no-effect'; readonly rules: readonly { readonly rule: string; readonly why: string }[] }
  /** It cannot be read any more; the last readable version is listed. */
  | { readonly type: 'kept' }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }

/** A manifest that a name may refer to. */
export interface Candidate {
  readonly fate: SkillFate
  readonly path: string
  readonly source?: string
  readonly layer?: Layer
  readonly reasons: readonly FateReason[]
}

/** What became of every skill of one name. */
export interface Explanation {
  readonly name: string
  /** The fate of the first candidate; `unknown`: there is none. */
  readonly verdict: SkillFate | 'unknown'
  /** The one nearest to being shown first. */
  readonly candidates: readonly Candidate[]
  /** With `unknown`: similar names in the catalog. */
  readonly nearest: readonly string[]
  /** With `unknown`: why whole folders or sources were not searched, such as a workspace that is not trusted. */
  readonly unseen: readonly Diagnostic[]
  /** The whole explanation for a person, in lines. */
  readonly text: string
}
