import {
  isSkillError,
  SkillError,
  type FolderEntry,
  type FolderListing,
  type FolderSurvey,
  type SkillFolder,
} from '@repertoire/core'
import { listFiles, measureFolder, resourceParts } from '@repertoire/core/stores'
import { type RemoteSkill, MAX_REMOTE_BYTES, MAX_REMOTE_FILES, pathOf } from './remote-skill.ts'
import type { RemoteSkills } from './remote-skills.ts'

/** The largest file that is read where nothing else is asked for. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Reads one skill of a server, each file when it is needed, as it was listed. */
export function remoteFolder(location: string, skill: RemoteSkill, skills: RemoteSkills): SkillFolder {
  const { files } = skill
  if (files === undefined) return generatedFolder(location, skill, skills)
  const listing = (): FolderListing =>
    listFiles([...files].map(([path, { size }]) => ({ path, size, executable: false })))
  const folder: SkillFolder = {
    location,
    onDemand: true,
    readManifest: () => skills.read(skill, 'SKILL.md'),
    list: () => Promise.resolve(listing()),
    async read(path, { maxBytes = MAX_FILE_BYTES, withheld = false } = {}) {
      const clean = resourceParts(path, location, withheld).join('/')
      const size = files.get(clean)?.size ?? 0
      if (size > maxBytes) throw tooLarge(location, clean, size, maxBytes)
      return skills.read(skill, clean)
    },
    // The digests are the server's, and every file is compared with them when it is read: so what is agreed to is bound to
    // all files, and only SKILL.md is fetched for it.
    async survey(): Promise<FolderSurvey> {
      const manifest = await skills.read(skill, 'SKILL.md')
      const known = new Map([...files].map(([path, { sha256 }]) => [path, sha256]))
      const list = listing()
      const measured = await measureFolder(folder, list, { path: 'SKILL.md', bytes: manifest }, known)
      return { manifest, listing: list, ...measured }
    },
  }
  return folder
}

/** Content that the server generates: nobody can tell beforehand what it will be, so every activation asks again. */
function generatedFolder(location: string, skill: RemoteSkill, skills: RemoteSkills): SkillFolder {
  let received = 0
  const read = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const bytes = await skills.read(skill, path)
    received += bytes.length
    if (bytes.length > maxBytes) throw tooLarge(location, path, bytes.length, maxBytes)
    if (received > MAX_REMOTE_BYTES) throw tooLarge(location, path, received, MAX_REMOTE_BYTES)
    return bytes
  }
  const folder: SkillFolder = {
    location,
    onDemand: true,
    readManifest: () => read('SKILL.md', MAX_FILE_BYTES),
    list: async () => listingOf(await folder.readManifest()),
    read: async (path, { maxBytes = MAX_FILE_BYTES, withheld = false } = {}) =>
      read(resourceParts(path, location, withheld).join('/'), maxBytes),
    // Only SKILL.md is read: the digest would not hold for the other files either.
    async survey(): Promise<FolderSurvey> {
      const manifest = await folder.readManifest()
      const measured = await measureFolder(folder, manifestAlone(manifest), { path: 'SKILL.md', bytes: manifest })
      return { manifest, listing: await listingOf(manifest), ...measured }
    },
  }
  const listingOf = async (manifest: Uint8Array): Promise<FolderListing> => ({
    ...listFiles([...manifestAlone(manifest).files, ...(await generatedFiles(skill, skills))]),
    truncated: true,
  })
  return folder
}

/** There may be more, so no digest covers everything, and every activation asks again. */
function manifestAlone({ length }: Uint8Array): FolderListing {
  return { ...listFiles([{ path: 'SKILL.md', size: length, executable: false }]), truncated: true }
}

/** Lists what the server says to be in the folders, so that a model sees which files it can read. */
async function generatedFiles(skill: RemoteSkill, skills: RemoteSkills): Promise<readonly FolderEntry[]> {
  const files = new Map<string, FolderEntry>()
  const folders = ['']
  try {
    for (const folder of folders) {
      for (const { uri, mimeType, size = 0 } of await skills.readFolder(skill, folder)) {
        const path = childPath(skill, folder, uri)
        if (path === undefined || path === 'SKILL.md' || files.size === MAX_REMOTE_FILES) continue
        if (mimeType !== FOLDER_TYPE) files.set(path, { path, size, executable: false })
        else if (folders.length < MAX_GENERATED_FOLDERS && !folders.includes(path)) folders.push(path)
      }
    }
  } catch (error) {
    // The list is a help. What it lacks can be read all the same.
    if (!isSkillError(error)) throw error
  }
  return [...files.values()]
}

/** The media type by which the extension marks a folder. */
const FOLDER_TYPE = 'inode/directory'

/** Each takes a request at every activation. */
const MAX_GENERATED_FOLDERS = 16

/** The path of what is directly in a folder; undefined if it is elsewhere, or has a name that no file may have. */
function childPath(skill: RemoteSkill, folder: string, uri: string): string | undefined {
  if (!URL.canParse(uri) || !new URL(uri).href.startsWith(`${skill.root}/`)) return undefined
  try {
    const path = pathOf(skill, uri)
    return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) === folder ? path : undefined
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}

function tooLarge(location: string, path: string, size: number, most: number): SkillError {
  const message = `${JSON.stringify(path)} in ${location} has ${size} bytes; at most ${most} are read.`
  return new SkillError('RESOURCE_TOO_LARGE', message, { path })
}
