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
  /**
   * The SHA-256 of bytes as 32 characters, one for each byte, where it can be had at once. What was read of a manifest
   * is then known again by it; else the manifest's text is kept for that, which takes about half as much memory again.
   */
  hash?(bytes: Uint8Array): string
}

/**
 * Where skills lie side by side: all that their places have in common, kept once, so that of each only the name of its
 * folder need be kept.
 */
export interface SkillLocator {
  /** As the `location` of the skill's folder. */
  location(folderName: string): string
  /** As `FoundSkill.path`. */
  path(folderName: string): string
  /** As `FoundSkill.folder`; another object with each call. */
  folder(folderName: string): SkillFolder
}

/** What a source tells while it looks for skills. */
export interface SkillVisitor {
  /**
   * @param shelf gives what `found` has as `folder` and `path`, again and whenever it is asked: a catalog then keeps
   * neither. Whoever hands on a candidate that it changed leaves it out.
   */
  skill(found: FoundSkill, shelf?: SkillLocator): void
  diagnostic(diagnostic: Diagnostic): void
  /**
   * Takes what finds things to say that no skill depends on and that a scan would wait for. It is called when someone
   * asks for the diagnostics, once, and does not throw. Absent: the source tells them during the scan.
   */
  later?(find: () => readonly Diagnostic[]): void
}

/** Finds skills. It judges no manifest: that is the catalog's, so that the rules are the same for every source. */
export interface SkillSource {
  /** Tells this source from others in identities and messages. */
  readonly id: string
  readonly layer: Layer
  /**
   * Visits every candidate in an order that is the same on every machine. One bad candidate never ends the scan. It
   * must settle: the opening and every reload wait for it, so a source that asks a network gives up by itself.
   */
  scan(visitor: SkillVisitor): Promise<void>
  /**
   * Tells when a scan may find something else than the last one did. Absent: the source does not change, or cannot
   * tell. It never rejects: what keeps it from watching is a diagnostic, and then it tells nothing.
   */
  watch?(listener: SourceListener): Promise<SourceWatch>
}

/** What a source that is watched tells. */
export interface SourceListener {
  /** Something changed. Told as often as it happens: whoever listens waits until it is quiet. */
  changed(): void
  /** The source is not watched, or not all of it, or no longer. */
  diagnostic(diagnostic: Diagnostic): void
}

/** A source that is being watched. */
export interface SourceWatch {
  /** Ends it. Nothing is told afterwards. Safe to repeat. */
  close(): Promise<void>
}
