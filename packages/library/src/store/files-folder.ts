import { memorySource, type FolderListing, type SkillFiles, type SkillFolder } from '@repertoire/core'

/** A folder with these files, as one on a disk is read. They must not change afterwards, and hold a SKILL.md. */
export function folderOfFiles(name: string, files: SkillFiles): SkillFolder {
  const plain = Object.fromEntries([...files].map(([path, { bytes }]) => [path, bytes]))
  const [found] = memorySource({ layer: 'project', id: 'memory', skills: { [name]: plain } }).scan()
  if (found === undefined) throw new TypeError(`The skill "${name}" has no SKILL.md.`)
  const { folder } = found
  return {
    location: folder.location,
    readManifest: () => folder.readManifest(),
    read: (path, options) => folder.read(path, options),
    list: async () => withModes(await folder.list(), files),
  }
}

/** The listing with the permissions that are stored. */
function withModes(listing: FolderListing, files: SkillFiles): FolderListing {
  const modes = <T extends { readonly path: string }>(entries: readonly T[]) =>
    entries.map((entry) => ({ ...entry, executable: files.get(entry.path)?.executable === true }))
  const { withheld } = listing
  return { ...listing, files: modes(listing.files), withheld: { ...withheld, files: modes(withheld.files) } }
}
