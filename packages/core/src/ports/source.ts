import type { Diagnostic } from './diagnostic.ts'
import type { SkillFolder } from './folder.ts'
import type { Layer } from './skill.ts'

/** A candidate that a source shows to its visitor. */
export interface FoundSkill {
  readonly folder: SkillFolder
  /** The folder's own name, which the skill's name must equal. */
  readonly folderName: string
  /**
   * What it belongs to inside its source, such as a package with its version. The skill's source is then the source's
   * id, a colon, and this.
   */
  readonly part?: string
  /** The manifest's path, as diagnostics name it. */
  readonly path: string
  /** The manifest's file name as found: `SKILL.md`, or another spelling of it. */
  readonly fileName: string
  /** The manifest's size in bytes. */
  readonly size: number
  /** The first `length` bytes of the manifest, fewer at its end. Valid during the visit, until the next `head`. */
  head(length: number): Uint8Array
}

/** Takes what a source finds. */
export interface SkillVisitor {
  skill(found: FoundSkill): void
  diagnostic(diagnostic: Diagnostic): void
}

/** Finds skills. It judges no manifest: that is the catalog's, so that the rules are the same for every source. */
export interface SkillSource {
  /** Identifies the source in messages and in the `source` of its skills. */
  readonly id: string
  readonly layer: Layer
  /**
   * Visits every candidate in an order that is the same on every machine. One bad candidate never ends the scan. It
   * must settle: the opening and every reload wait for it, so a source that asks a network gives up by itself.
   */
  scan(visitor: SkillVisitor): Promise<void>
  /**
   * Notifies a listener when a scan may find something else than the last one did. Absent: the source does not change,
   * or cannot be watched. It never rejects: what prevents it from watching is a diagnostic.
   */
  watch?(listener: SourceListener): Promise<SourceWatch>
}

/** Takes the notifications of a source that is watched. */
export interface SourceListener {
  /** Something changed. Called for every change: the listener waits until they stop. */
  changed(): void
  /** The source is not watched, or not all of it, or no longer. */
  diagnostic(diagnostic: Diagnostic): void
}

/** A source that is being watched. */
export interface SourceWatch {
  /** Stops watching. The listener is not called afterwards. Safe to repeat. */
  close(): Promise<void>
}
