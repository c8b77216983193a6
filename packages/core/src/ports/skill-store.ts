import type { SkillFolder, Manifest, SkillContent, SkillDefinition } from '@repertoire/skill-md/internal'
import type { SkillSource } from './source.ts'

/** A file of a skill, as it is stored. */
export interface StoredFile {
  readonly bytes: Uint8Array
  /** Whether the file may be executed. No other permission is stored. Default false. */
  readonly executable?: boolean
}

/** All files of a skill, `SKILL.md` included, by their paths. */
export type SkillFiles = ReadonlyMap<string, StoredFile>

/** A skill as a store holds it. */
export interface StoredSkill {
  readonly name: string
  /** Changes with every change of a file. To be compared and passed back: only the store knows what it is made of. */
  readonly revision: string
  readonly manifest: Manifest
  /** Everything after the frontmatter, as written. */
  readonly body: string
  readonly definition: SkillDefinition
  /** Reads what is stored at the time of the read. */
  readonly folder: SkillFolder
}

/** Options of every write of a store. */
export interface StoreWriteOptions {
  /**
   * The revision that the change is based on; null: the skill must not exist. With another one stored, nothing is
   * written. Absent: whatever is there is replaced.
   */
  readonly ifRevision?: string | null | undefined
}

/** Options of `saveResource`. */
export interface StoreResourceOptions extends StoreWriteOptions {
  /** Whether the file can be executed. Default: as the file that it replaces, and no for a new one. */
  readonly executable?: boolean | undefined
}

/** Options of `replace`. */
export interface StoreReplaceOptions extends StoreWriteOptions {
  /**
   * Where the skill comes from, as `FetchedSkill.origin` has it. Kept beside the skill, whose files stay as they are,
   * and shown as the `source` of its manifest until it is replaced or deleted. Absent: the skill is local.
   */
  readonly origin?: string | undefined
}

/** What a write has made. */
export interface StoredRevision {
  readonly revision: string
}

/**
 * Keeps skills. Every write happens completely or not at all, also if the process is killed or the disk is full, and
 * whoever reads at the same time sees what was before it or what is after it. Writers, in one process or in many, wait
 * for each other, so that nothing is lost; with `ifRevision` a writer who has not seen the last change is refused.
 *
 * A store is a source: an open catalog has what is saved at its next reload, by itself if it is watched. What is stored
 * is not trusted for that: an activation asks for consent as with any other skill.
 *
 * Every write rejects with a `SkillError`: STORE_CONFLICT (`ifRevision` does not hold), MANIFEST_INVALID (the skill
 * would not load), RESOURCE_PATH_INVALID and RESOURCE_REFUSED (a path that leads out, a link, two paths that differ in
 * case alone), RESOURCE_TOO_LARGE, FOLDER_NOT_WRITABLE (no permission, no space), TIMED_OUT (other writers do not end).
 */
export interface SkillStore extends SkillSource {
  /** Saves a SKILL.md under the skill's name, new or in place of the one there. Other files of the skill stay. */
  save(skill: SkillContent, options?: StoreWriteOptions): Promise<StoredRevision>
  /** @throws {SkillError} SKILL_NOT_FOUND, with the nearest names; SKILL_BROKEN: its SKILL.md cannot be read */
  get(name: string): Promise<StoredSkill>
  /** The skills whose status is `active`, by name in code-unit order. A broken one is left out: a scan reports it. */
  listActive(): Promise<readonly StoredSkill[]>
  /** Removes a skill with all its files. @throws {SkillError} SKILL_NOT_FOUND */
  delete(name: string, options?: StoreWriteOptions): Promise<void>
  /**
   * Saves one file beside SKILL.md; folders on the way are made.
   * @param bytes a text is saved as UTF-8
   * @throws {SkillError} SKILL_NOT_FOUND
   */
  saveResource(
    name: string,
    path: string,
    bytes: Uint8Array | string,
    options?: StoreResourceOptions,
  ): Promise<StoredRevision>
  /** Saves a whole skill: afterwards it has these files, byte for byte, and no others. */
  replace(name: string, files: SkillFiles, options?: StoreReplaceOptions): Promise<StoredRevision>
}
