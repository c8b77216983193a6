/**
 * What a scan and our own sources agree on beside the port, so that thousands of skills are found in little time and
 * kept in little memory. A source that knows nothing of it works as well: each of its skills keeps its own paths and
 * folder, and the text of its frontmatter in place of a hash.
 *
 * A skill found this way takes about 1 KB of heap, its manifest included. Its object takes a third of one that keeps
 * its paths and its folder; a frontmatter's text in place of its hash would take about half as much memory again; and to
 * look for other spellings of SKILL.md during the scan would take a seventh of the scan's time.
 */

import type { BytesHash } from '../manifest/index.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { FoundSkill, SkillVisitor } from '../ports/source.ts'

/**
 * Where skills lie side by side: what their places have in common is kept once, so that of each skill only the name of
 * its folder is kept.
 */
export interface SkillLocator {
  /** The `location` of the skill's folder. */
  location(folderName: string): string
  /** The manifest's path. */
  path(folderName: string): string
  /** The skill's folder; another object with each call. */
  folder(folderName: string): SkillFolder
}

/** What a visitor of ours takes beside what the port has. */
export interface FastVisit {
  /**
   * A candidate, as `SkillVisitor.skill` takes it.
   * @param hash identifies a manifest that an earlier scan has read
   * @param locator gives the candidate's `folder` and `path` whenever they are asked for. Absent: they are kept.
   */
  skill(found: FoundSkill, hash: BytesHash, locator?: SkillLocator): void
  /**
   * Takes a search for diagnostics that no skill depends on. It runs when the diagnostics are first read, once. Absent:
   * the source reports them during the scan.
   */
  later?(search: () => readonly Diagnostic[]): void
}

/** By identity: a visitor that wraps or copies another must not be bypassed. */
const fastVisits = new WeakMap<SkillVisitor, FastVisit>()

/** Lets our own sources use the fast path of a visitor. Returns the visitor. */
export function offerFastVisit(visitor: SkillVisitor, fast: FastVisit): SkillVisitor {
  fastVisits.set(visitor, fast)
  return visitor
}

/** The fast path of a visitor, where it offers one. */
export function fastVisitOf(visitor: SkillVisitor): FastVisit | undefined {
  return fastVisits.get(visitor)
}

/** A visitor that hands its candidates on as parts of a source, see `FoundSkill.part`. */
export function visitorOfPart(visitor: SkillVisitor, part: string): SkillVisitor {
  const ofPart: SkillVisitor = {
    skill: (found) => visitor.skill({ ...found, part }),
    diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
  }
  const fast = fastVisitOf(visitor)
  if (fast === undefined) return ofPart
  return offerFastVisit(ofPart, { skill: (found, hash) => fast.skill({ ...found, part }, hash) })
}
