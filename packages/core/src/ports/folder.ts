/** A file of a skill's folder. */
export interface FolderEntry {
  /** Relative to the skill's folder, `/` between parts. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Whether the file carries a run bit. */
  readonly executable: boolean
}

/** Files of a folder, in the order of their paths. */
export interface FolderFiles {
  readonly files: readonly FolderEntry[]
  /** Whether a bound was met, so that files are missing here. */
  readonly truncated: boolean
  /** Entries that are there but are not given out: links, devices, unreadable folders. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
}

/** What a folder holds. */
export interface FolderListing extends FolderFiles {
  /**
   * What no model is shown or told the name of, and what a script may use all the same, so that consent covers it:
   * hidden files, and all that lies in hidden folders. `node_modules` stands under its `refused` and is not looked
   * into. `.git`, a repository's own bookkeeping, stands nowhere. Bounded by itself, so that it crowds out no file.
   */
  readonly withheld: FolderFiles
}

/** All of a folder that an activation needs, read in one go. */
export interface FolderSurvey {
  /** The bytes of the manifest file, whole. */
  readonly manifest: Uint8Array
  readonly listing: FolderListing
  /** SHA-256, hex, of what the folder holds, over these bytes of the manifest; made as `digestFolder` says. */
  readonly digest: string
  /** Whether the digest covers all that the folder holds. */
  readonly whole: boolean
  /** SHA-256, hex, of every file that was read, hidden ones and the manifest too, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/** One skill's folder, wherever it is kept. Every check is made at the time of the read. */
export interface SkillFolder {
  /** An absolute path or a URI: what people and models are shown. */
  readonly location: string
  /** The same folder by another path, where links lead to it. Scripts are kept from read tools by either. */
  readonly alias?: string
  /**
   * The bytes of the manifest file, whole.
   * @throws {SkillError} RESOURCE_NOT_FOUND, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  readManifest(): Promise<Uint8Array>
  /** The files, SKILL.md included; hidden ones (`.env`) and `node_modules` stand apart. Bounded. */
  list(): Promise<FolderListing>
  /**
   * The bytes of one file by its relative path.
   * @param options.maxBytes the largest file that is read, in bytes; default 10 MiB
   * @param options.withheld whether hidden files are read too: for a digest, never for a model; default false
   * @throws {SkillError} RESOURCE_PATH_INVALID (leaves the folder), RESOURCE_NOT_FOUND, RESOURCE_REFUSED (hidden, a
   * link, a hard link, a device), RESOURCE_TOO_LARGE
   */
  read(path: string, options?: { readonly maxBytes?: number; readonly withheld?: boolean }): Promise<Uint8Array>
  /**
   * The same as the three above give, for a folder that can do it in one go. Where it is absent or resolves to
   * undefined, they are used.
   * @throws {SkillError} as they do
   */
  survey?(): Promise<FolderSurvey | undefined>
}
