import { isSkillError, SkillError, type FolderListing, type SkillFolder } from '@repertoire/core'
import { listFiles, measureFolder, resourceParts, type FolderDigest } from '@repertoire/core/stores'
import type { SkillFile, StoredFiles } from './record.ts'
import { currentSkills, type TenantContext } from './tenant.ts'

const MANIFEST = 'SKILL.md'

/** The largest file that is read, unless the caller passes a limit. */
const MAX_READ_BYTES = 10 * 1024 * 1024

/** What is known of a stored skill by someone who has just read it. */
export interface KnownSkill {
  readonly stored: StoredFiles
  readonly manifest?: Uint8Array | undefined
}

/**
 * A stored skill as a folder: every read is of what is stored at that time, and compared with its hash.
 * @param known what is stored, for who has just read it
 */
export function storedFolder(tenant: TenantContext, name: string, known?: KnownSkill): SkillFolder {
  const location = `${tenant.id}/${name}`
  const current = async (): Promise<StoredFiles> => {
    if (known !== undefined) return known.stored
    const stored = (await currentSkills(tenant)).skills.get(name)
    if (isSkillError(stored)) throw stored
    if (stored !== undefined) return stored
    throw new SkillError('RESOURCE_NOT_FOUND', `${location} is not stored any more.`, { path: location })
  }
  const bytesOf = async (file: SkillFile): Promise<Uint8Array> =>
    // A copy: the memory they come from is that of all tenants.
    new Uint8Array(await tenant.files.read(file, location))
  return {
    location,
    readManifest: async () => bytesOf(fileOf(await current(), MANIFEST, location)),
    list: async () => listingOf(await current()),
    async read(path, { maxBytes = MAX_READ_BYTES, withheld = false } = {}) {
      const file = fileOf(await current(), resourceParts(path, location, withheld).join('/'), location)
      if (file.size <= maxBytes) return bytesOf(file)
      const message = `"${file.path}" in ${location} has ${file.size} bytes; at most ${maxBytes} are read.`
      throw new SkillError('RESOURCE_TOO_LARGE', message, { path: file.path })
    },
    async survey() {
      // The other files are not read: whoever reads one later gets bytes of the hash in the record, or an error.
      const stored = await current()
      const manifest = known?.manifest ?? (await bytesOf(fileOf(stored, MANIFEST, location)))
      const listing = listingOf(stored)
      return { manifest, listing, ...(await digestOf(stored, listing, manifest)) }
    },
  }
}

/** The revision of a stored skill: the digest of its folder, as every store has it. */
export async function revisionOf(stored: StoredFiles): Promise<string> {
  return (await digestOf(stored, listingOf(stored), new Uint8Array())).digest
}

async function digestOf(stored: StoredFiles, listing: FolderListing, manifest: Uint8Array): Promise<FolderDigest> {
  const known = new Map([...stored.files.values()].map(({ path, hash }) => [path, hash]))
  return measureFolder(UNREAD, listing, { path: MANIFEST, bytes: manifest }, known)
}

function neverRead(): never {
  throw new TypeError('The hash of every file is in the record.')
}

/** All that a digest needs is in the record. */
const UNREAD = { location: '', readManifest: neverRead, list: neverRead, read: neverRead }

function listingOf({ files }: StoredFiles): FolderListing {
  return listFiles([...files.values()].map(({ path, size, executable }) => ({ path, size, executable })))
}

function fileOf({ files }: StoredFiles, path: string, location: string): SkillFile {
  const file = files.get(path)
  if (file !== undefined) return file
  throw new SkillError('RESOURCE_NOT_FOUND', `There is no file "${path}" in ${location}.`, { path })
}
