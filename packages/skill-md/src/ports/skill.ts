import type { Manifest } from './manifest.ts'

/** Where a skill comes from, highest precedence first by default. The host chooses the layer; it is never guessed. */
export type Layer = 'enterprise' | 'personal' | 'project' | 'plugin' | 'bundled'

/** A skill in the catalog: its metadata, and its folder for everything else. Properties may be getters. */
export interface Skill {
  readonly name: string
  readonly manifest: Manifest
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
  /** Where it was installed from, as its source knows it. It is then also the `source` of the manifest. */
  readonly origin?: string | undefined
  /** The folder, as shown to people and models. */
  readonly location: string
  /** The manifest file. */
  readonly path: string
  /** The same folder at each access, though not always the same object. */
  readonly folder: SkillFolder
}

/** Highest first. In other clients `project` wins over `personal`, so the order is an option. */
export const DEFAULT_LAYERS: readonly Layer[] = ['enterprise', 'personal', 'project', 'plugin', 'bundled']

/** A file of a skill's folder. */
export interface FolderEntry {
  /** Relative to the skill's folder, `/` between parts. */
  readonly path: string
  /** The file's size in bytes. */
  readonly size: number
  /** Whether the file is executable. */
  readonly executable: boolean
}

/** Files of a folder, in the order of their paths. */
export interface FolderFiles {
  readonly files: readonly FolderEntry[]
  /** Whether a limit was reached, so that files are missing here. */
  readonly truncated: boolean
  /** Entries that exist but are never read: links, devices, unreadable folders. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
}

/** What a folder holds. */
export interface FolderListing extends FolderFiles {
  /**
   * Files of which a model sees neither content nor name. A script may still use them, so consent covers them: hidden
   * files, and everything in hidden folders. `node_modules` is listed under its `refused` and is not searched; `.git`
   * is not listed at all. It has limits of its own, so that hidden files do not displace others.
   */
  readonly withheld: FolderFiles
}

/** Everything in a folder that an activation needs, read in one pass. */
export interface FolderSurvey {
  /** All bytes of the manifest file. */
  readonly manifest: Uint8Array
  readonly listing: FolderListing
  /** SHA-256, hex, of the folder's content with these bytes of the manifest, as `digestFolder` computes it. */
  readonly digest: string
  /** Whether the digest covers everything in the folder. */
  readonly whole: boolean
  /** SHA-256, hex, of every file that was read, hidden ones and the manifest too, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * One skill's folder, wherever it is stored. Every check is made at the time of the read. A promise that does not
 * settle within the option `catalog.loadTimeout` counts as a failed read.
 */
export interface SkillFolder {
  /** An absolute path or a URI, as people and models are shown it. */
  readonly location: string
  /** The same folder by another path, if a link leads to it. The gate protects scripts under both paths. */
  readonly alias?: string
  /**
   * Whether files are read only when the skill is used, since they come from another machine that counts on it. A
   * search then goes by name, description and tags alone. Default false.
   */
  readonly onDemand?: boolean
  /**
   * Reads the whole manifest file.
   * @throws {SkillError} RESOURCE_NOT_FOUND, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  readManifest(): Promise<Uint8Array>
  /** Lists the files, SKILL.md included; hidden ones (`.env`) and `node_modules` separately. Limited in number. */
  list(): Promise<FolderListing>
  /**
   * Reads one file by its relative path.
   * @param options.maxBytes the largest file that is read, in bytes; default 10 MiB
   * @param options.withheld whether hidden files can be read: for a digest, never for a model; default false
   * @throws {SkillError} RESOURCE_PATH_INVALID (leaves the folder), RESOURCE_NOT_FOUND, RESOURCE_REFUSED (hidden, a
   * link, a hard link, a device), RESOURCE_TOO_LARGE
   */
  read(path: string, options?: { readonly maxBytes?: number; readonly withheld?: boolean }): Promise<Uint8Array>
  /**
   * Does the work of the three methods above in one pass, for folders that can do this faster. Where it is absent, or
   * resolves to undefined, those methods are used.
   * @throws {SkillError} as they do
   */
  survey?(): Promise<FolderSurvey | undefined>
}
