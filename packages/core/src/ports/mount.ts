/** A file to be mounted. */
export interface MountFile {
  /** Relative to the skill's folder, `/` between parts. It has no `..`, and begins with no `/`. */
  readonly path: string
  /** Whether it carries a run bit. */
  readonly executable: boolean
  /**
   * Its bytes as they were agreed to.
   * @throws {SkillError} RESOURCE_REFUSED: it is another one now; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: () => Promise<Uint8Array>
}

/** A skill's folder that is to be put into the private space of a task. */
export interface MountRequest {
  /** The session's id. Any text: it is the port's to make a folder's name of it. */
  readonly task: string
  readonly skill: string
  readonly digest: string
  /** All that the digest covers, hidden files and SKILL.md too. */
  readonly files: readonly MountFile[]
}

/** Where a skill was mounted. */
export interface Mount {
  /** What the model is given: `private:/.skills/<name>`. */
  readonly path: string
  /** The real folder: an absolute path. */
  readonly location: string
}

/** Puts copies of skills' folders where only one task sees them, and takes them away again. */
export interface SkillMounts {
  /** Whole or not at all. A second mount of one skill in one task takes the place of the first. */
  mount(request: MountRequest): Promise<Mount>
  /**
   * Removes a mount, or all of a task. Also one of another process; one that is not there is no failure.
   * @param skill absent: all of the task's
   */
  unmount(task: string, skill?: string): Promise<void>
}
