import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillStatus } from '../ports/manifest.ts'
import type { Layer } from '../ports/skill.ts'
import type { Precedence } from './precedence.ts'
import type { HidingRule } from './view.ts'

/** What became of a skill, for one viewer. */
export type SkillFate = 'shown' | 'shadowed' | 'hidden' | 'inactive' | 'cut' | 'broken'

/** Why a candidate has its fate. */
export type FateReason =
  | {
      readonly type: 'shadowed'
      readonly by: { readonly path: string; readonly source: string }
      readonly decided: Precedence
    }
  | { readonly type: 'hidden'; readonly rule: HidingRule }
  | { readonly type: 'inactive'; readonly status: SkillStatus }
  /** The list's budget had no room: for it, for its description, or for the whole of that. */
  | { readonly type: 'cut'; readonly cut: 'dropped' | 'withoutDescription' | 'shortened' }
  /** It cannot be read any more, and is listed as it was read last. */
  | { readonly type: 'kept' }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }

/** A manifest that may be meant by a name. */
export interface Candidate {
  readonly fate: SkillFate
  readonly path: string
  readonly source?: string
  readonly layer?: Layer
  readonly reasons: readonly FateReason[]
}

/** What became of everything that goes by a name. */
export interface Explanation {
  readonly name: string
  /** The fate of the candidate that came farthest; `unknown`: there is none. */
  readonly verdict: SkillFate | 'unknown'
  /** Farthest first. */
  readonly candidates: readonly Candidate[]
  /** With `unknown`: names of the catalog that are near. */
  readonly nearest: readonly string[]
  /** With `unknown`: what keeps whole folders or sources from being known, such as a workspace that is not trusted. */
  readonly unseen: readonly Diagnostic[]
  /** All of it for a person, in lines. */
  readonly text: string
}
