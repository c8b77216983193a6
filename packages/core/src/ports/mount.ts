import type { SkillFolder } from '@repertoire/skill-md/internal'

/** A file to be mounted. */
export interface MountFile {
  /** Relative to the skill's folder, `/` between parts. It holds no `..` and does not begin with `/`. */
  readonly path: string
  /** Whether its executable bit is set. */
  readonly executable: boolean
  /**
   * Reads the bytes that were consented to.
   * @throws {SkillError} RESOURCE_REFUSED: it has changed; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: () => Promise<Uint8Array>
}

/** A skill's folder to mount in the private space of a task. */
export interface MountRequest {
  /** The session's id, with the tenant if there is one. It can be any text: the port turns it into a folder name. */
  readonly task: string
  readonly skill: string
  readonly digest: string
  /** All files that the digest covers, including hidden ones and SKILL.md. */
  readonly files: readonly MountFile[]
}

/** Where a skill was mounted. */
export interface Mount {
  /** The path for the model: `private:/.skills/<name>`. */
  readonly path: string
  /** The real folder: an absolute path. */
  readonly location: string
}

/**
 * Copies skills' folders to a place that only one task sees, and removes them again. Each is waited for as long as the
 * option `catalog.loadTimeout` says; a mount that is made later is unmounted.
 */
export interface SkillMounts {
  /** Mounts the whole folder or nothing. A second mount of a skill in a task replaces the first. */
  mount(request: MountRequest): Promise<Mount>
  /**
   * Returns the folder of a mount, also of one that another process has made. What is read of it is compared with what
   * was consented to. Absent: the session's tools read the skill's own folder, and refuse what has changed there.
   * @throws it is gone
   */
  open?(mount: Mount): SkillFolder
  /**
   * Removes a mount, or all mounts of a task, including those of other processes. Does not fail if there is none.
   * @param skill absent: all mounts of the task
   */
  unmount(task: string, skill?: string): Promise<void>
}
