/**
 * A private extension of the source port between a scan and the built-in sources, so that thousands of skills are found
 * quickly and kept in little memory. A source that does not use it works too: then each skill keeps its paths and
 * folder.
 *
 * A skill's object takes a third of the memory of one that keeps its paths and its folder. Searching for other spellings
 * of SKILL.md during the scan would take a seventh of the scan's time.
 */

import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { FoundSkill, SkillVisitor } from '../ports/source.ts'

/**
 * Locates the skills of one parent folder. What their paths have in common is kept once, so that each skill keeps only
 * the name of its folder.
 */
export interface SkillLocator {
  /** Returns the `location` of the skill's folder. */
  location(folderName: string): string
  /** Returns the manifest's path. */
  path(folderName: string): string
  /** Returns the skill's folder; a new object with each call. */
  folder(folderName: string): SkillFolder
}

/** The methods that the visitor of a scan offers in addition to the port. */
export interface FastVisit {
  /**
   * Visits a candidate, as `SkillVisitor.skill` does.
   * @param locator computes the candidate's `folder` and `path` when they are needed. Absent: they are kept.
   */
  skill(found: FoundSkill, locator?: SkillLocator): void
  /**
   * Registers a search for diagnostics that no skill depends on. It runs once, when the diagnostics are first read.
   * Absent: the source reports them during the scan.
   */
  later?(search: () => readonly Diagnostic[]): void
}

/** Keyed by identity: a visitor that wraps or copies another must not be bypassed. */
const fastVisits = new WeakMap<SkillVisitor, FastVisit>()

/** Lets the built-in sources use the fast path of a visitor. Returns the visitor. */
export function offerFastVisit(visitor: SkillVisitor, fast: FastVisit): SkillVisitor {
  fastVisits.set(visitor, fast)
  return visitor
}

/** Returns the fast path of a visitor; undefined where it offers none. */
export function fastVisitOf(visitor: SkillVisitor): FastVisit | undefined {
  return fastVisits.get(visitor)
}

/** Returns a visitor that passes on its candidates as one part of a source, see `FoundSkill.part`. */
export function visitorOfPart(visitor: SkillVisitor, part: string): SkillVisitor {
  const ofPart: SkillVisitor = {
    skill: (found) => visitor.skill({ ...found, part }),
    diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
  }
  const fast = fastVisitOf(visitor)
  if (fast === undefined) return ofPart
  return offerFastVisit(ofPart, { skill: (found) => fast.skill({ ...found, part }) })
}
