import type { Diagnostic, SkillFolder, Layer } from '@repertoire/skill-md/internal'

/** A candidate that a source has found. */
export interface FoundSkill {
  readonly folder: SkillFolder
  /** The name of the skill's folder, which the skill's name must equal. */
  readonly folderName: string
  /** The manifest's path, as used in diagnostics. */
  readonly path: string
  /** The manifest's file name as found: `SKILL.md`, or another spelling of it. */
  readonly fileName: string
  /** The manifest's size in bytes. */
  readonly size: number
  /** The first bytes of the manifest: its frontmatter, at least 4 KiB, or all of it. They are not changed later. */
  readonly head: Uint8Array
  /**
   * The part of the source that it belongs to, such as a package with its version. The skill's `source` is then the
   * source's id, a colon, and this.
   */
  readonly part?: string | undefined
  /**
   * Where the skill was installed from, as a lock or a store has it. It takes the place of what the manifest says about
   * its source. Absent: the source does not know.
   */
  readonly origin?: string | undefined
}

/** Finds skills. It does not check manifests: the catalog does, so that the rules are the same for every source. */
export interface SkillSource {
  /** Identifies the source in messages and in the `source` of its skills. */
  readonly id: string
  readonly layer: Layer
  /** Whether it may hold no skill. If no source has one and none is optional: problem `NO_SKILLS`. Default false. */
  readonly optional?: boolean | undefined
  /**
   * Where it looks for skills, as a person would name it, for messages. Default: its id. Empty: it finds none, and only
   * reports what others do not search.
   */
  readonly places?: readonly string[] | undefined
  /**
   * Yields every candidate, and a diagnostic for everything that could not be looked at, in an order that is the same
   * on every machine. A generator is the easiest way to write it:
   *
   * ```ts
   * async *scan() {
   *   for (const name of await store.names()) yield await foundSkill(name)
   * }
   * ```
   *
   * An error ends the scan of this source alone: what it has yielded stays. It has failed, too, if it has not ended
   * within the option `catalog.loadTimeout`.
   */
  scan(): Iterable<FoundSkill | Diagnostic> | AsyncIterable<FoundSkill | Diagnostic>
  /**
   * Notifies a listener when a scan may find something different from the last one. Absent: the source does not change
   * or cannot be watched. It never rejects: a problem with watching is reported as a diagnostic.
   */
  watch?(listener: SourceListener): Promise<SourceWatch>
}

/** Receives the notifications of a watched source. */
export interface SourceListener {
  /** Called for every change: the listener itself waits until changes stop. */
  changed(): void
  /** Called if the source cannot be watched, or only in part, or not any longer. */
  diagnostic(diagnostic: Diagnostic): void
}

/** A source that is being watched. */
export interface SourceWatch {
  /** Stops watching. The listener is not called afterwards. Safe to call more than once. */
  close(): Promise<void>
}
