import type { Diagnostic, SkillFolder, Layer } from '@repertoire/skill-md/internal'

/** A candidate that a source passes to its visitor. */
export interface FoundSkill {
  readonly folder: SkillFolder
  /** The name of the skill's folder, which the skill's name must equal. */
  readonly folderName: string
  /**
   * The part of the source that it belongs to, such as a package with its version. The skill's `source` is then the
   * source's id, a colon, and this.
   */
  readonly part?: string
  /**
   * Where the skill was installed from, as a lock or a store has it. It takes the place of what the manifest says about
   * its source. Absent: the source does not know.
   */
  readonly origin?: string
  /** The manifest's path, as used in diagnostics. */
  readonly path: string
  /** The manifest's file name as found: `SKILL.md`, or another spelling of it. */
  readonly fileName: string
  /**
   * Whether the folder has, or may have, a file `agents/openai.yaml`. The catalog then reads it: it may keep models from
   * the skill. Absent: it is read only when the skill is used.
   */
  readonly hasAgentFile?: boolean
  /** The manifest's size in bytes. */
  readonly size: number
  /** Returns the first `length` bytes of the manifest, or fewer at its end. Valid during the visit, until the next call. */
  head(length: number): Uint8Array
}

/** Receives what a source finds. */
export interface SkillVisitor {
  skill(found: FoundSkill): void
  diagnostic(diagnostic: Diagnostic): void
}

/** Finds skills. It does not check manifests: the catalog does, so that the rules are the same for every source. */
export interface SkillSource {
  /** Identifies the source in messages and in the `source` of its skills. */
  readonly id: string
  readonly layer: Layer
  /** Whether it may hold no skill. If no source has one and none is optional, sessions report `NO_SKILLS`. Default false. */
  readonly optional?: boolean
  /**
   * Where it looks for skills, as a person would name it, for messages. Default: its id. Empty: it finds none, and only
   * reports what others do not search.
   */
  readonly places?: readonly string[]
  /**
   * Visits every candidate in an order that is the same on every machine. One bad candidate never ends the scan. The
   * promise must settle within the option `catalog.loadTimeout`: otherwise the source has failed, and what it reports after that
   * is ignored.
   */
  scan(visitor: SkillVisitor): Promise<void>
  /**
   * Returns how often the source was changed through this object. After a change, a reload is not skipped for coming
   * soon after another one. Absent: the source does not know.
   */
  changes?(): number
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
