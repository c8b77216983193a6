import type { Diagnostic, SkillFiles } from '@repertoire/core'

/** Exactly where skills come from, in the words of `skills-lock.json`. */
export interface ResolvedOrigin {
  /** As it is written to the lock: `owner/repo`, a URL without credentials, a relative path, the name of a package. */
  readonly source: string
  /** `github`, `git`, `local`, `npm`, `archive`, `well-known`, … */
  readonly sourceType: string
  readonly sourceUrl?: string
  /** A branch, a tag or a range, as it was asked for. */
  readonly ref?: string
  /** What will be fetched: a commit, a version with its integrity, a digest. Absent: it has none, as a folder. */
  readonly revision?: string
}

/** A fetched skill, in memory and judged: its names, links, modes, twins and sizes. Nothing of it was written. */
export interface FetchedSkill {
  /** Under which it is stored: that of its manifest, `pdf-forms` if that is `PDF Forms`. */
  readonly name: string
  /** The path of its SKILL.md in the origin. */
  readonly path: string
  /** Where it comes from, for `replace` of a store. */
  readonly origin: string
  /** Exactly what it is, where its origin says that of each skill, as an index does. Absent: as the origin. */
  readonly revision?: string
  /** Byte for byte its author's. Paths are relative to the skill's folder. */
  readonly files: SkillFiles
}

/** What came of a fetch: all skills that were asked for. One that is refused refuses all. */
export interface FetchedSkills {
  readonly origin: ResolvedOrigin
  /** By name, in code-unit order. */
  readonly skills: readonly FetchedSkill[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Options of a fetch. */
export interface FetchOptions {
  /** The names of the skills. Default: all. @throws {SkillError} SKILL_NOT_FOUND a name that the origin lacks */
  readonly skills?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  /** What is done now, for progress on a terminal. */
  readonly onProgress?: ((step: FetchStep) => void) | undefined
}

/** A step of a fetch. */
export interface FetchStep {
  readonly kind: 'resolved' | 'received' | 'judged' | 'scanned'
  /** Bytes so far, the number of files judged, or that of skills scanned. */
  readonly count?: number
  readonly total?: number
}

/** A skill that an origin offers, by its manifest. */
export interface ListedSkill {
  readonly name: string
  /** The path or the address of its SKILL.md in the origin. */
  readonly path: string
  readonly description?: string | undefined
  /** Why it cannot be fetched. Absent: nothing is known against it. */
  readonly problem?: string
}

/** An origin that was resolved to something exact. */
export interface Origin {
  readonly resolved: ResolvedOrigin
  /**
   * Reads into memory and judges; writes nothing.
   * @throws {SkillError} see the kinds of origins
   */
  fetch(options?: FetchOptions): Promise<FetchedSkills>
  /**
   * Lists the skills that it offers. Of those, manifests alone are read.
   * @throws {SkillError} see the kinds of origins
   */
  list(): Promise<readonly ListedSkill[]>
}
