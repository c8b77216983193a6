import { SkillError, type FolderListing, type FolderSurvey, type SkillFolder } from '@repertoire/core'
import { listFiles, measureFolder, resourceParts } from '@repertoire/core/stores'
import { type RemoteSkill, MAX_REMOTE_BYTES } from './remote-skill.ts'
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
      const measured = await measureFolder(folder, list, { path: 'SKILL.md', bytes: manifest }, { known })
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
  return {
    location,
    onDemand: true,
    readManifest: () => read('SKILL.md', MAX_FILE_BYTES),
    async list() {
      const { length } = await read('SKILL.md', MAX_FILE_BYTES)
      return { ...listFiles([{ path: 'SKILL.md', size: length, executable: false }]), truncated: true }
    },
    read: async (path, { maxBytes = MAX_FILE_BYTES, withheld = false } = {}) =>
      read(resourceParts(path, location, withheld).join('/'), maxBytes),
  }
}

function tooLarge(location: string, path: string, size: number, most: number): SkillError {
  const message = `${JSON.stringify(path)} in ${location} has ${size} bytes; at most ${most} are read.`
  return new SkillError('RESOURCE_TOO_LARGE', message, { path })
}
