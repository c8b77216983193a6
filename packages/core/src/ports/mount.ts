/** A file to be mounted. */
export interface MountFile {
  /** Relative to the skill's folder, `/` between parts. It has no `..`, and begins with no `/`. */
  readonly path: string
  /** Whether its executable bit is set. */
  readonly executable: boolean
  /**
   * Reads its bytes as they were consented to.
   * @throws {SkillError} RESOURCE_REFUSED: it has changed; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: () => Promise<Uint8Array>
}

/** A skill's folder that is to be put into the private space of a task. */
export interface MountRequest {
  /** The session's id. Any text: the port makes a folder's name of it. */
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

/** Puts copies of skills' folders where only one task sees them, and removes them again. */
export interface SkillMounts {
  /** Mounts the whole folder or nothing. A second mount of a skill in a task replaces the first. */
  mount(request: MountRequest): Promise<Mount>
  /**
   * Removes a mount, or all of a task, also those of another process. One that does not exist is not a failure.
   * @param skill absent: all of the task's
   */
  unmount(task: string, skill?: string): Promise<void>
}
