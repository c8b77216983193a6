/** An entry of an origin that is not a folder. */
export interface TreeEntry {
  /** From the top of the origin, `/` between parts. */
  readonly path: string
  /** What is neither a file nor a link refuses its skill: a submodule, a device, a folder that is not read. */
  readonly kind: 'file' | 'link' | 'submodule' | 'special' | 'node_modules' | 'deep'
  readonly executable: boolean
}

/** What an origin holds, before any of it was judged. */
export interface OriginTree {
  readonly entries: readonly TreeEntry[]
  /** The folder that everything is in, such as `package` in a package of npm; empty: none. */
  readonly base: string
  /**
   * Reads files, by their paths. The content of a link is what it leads to, as it is written there.
   * @throws {SkillError} ORIGIN_REFUSED, RESOURCE_TOO_LARGE
   */
  read(entries: readonly TreeEntry[], signal?: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>
}

/** The tree of one SKILL.md. */
export function documentTree(bytes: Uint8Array): OriginTree {
  return {
    entries: [{ path: 'SKILL.md', kind: 'file', executable: false }],
    base: '',
    read: async () => new Map([['SKILL.md', bytes]]),
  }
}
