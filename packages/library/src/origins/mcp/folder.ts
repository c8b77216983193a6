import { SkillError, type FolderListing, type SkillFolder } from '@repertoire/core'
import { listFiles, measureFolder, resourceParts } from '@repertoire/core/stores'
import type { RemoteSkill } from './remote-skill.ts'
import type { RemoteSkills } from './remote-skills.ts'

/** The largest file that is read where nothing else is asked for. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Reads one skill of a server, each file when it is needed, as it was listed. */
export function remoteFolder(location: string, skill: RemoteSkill, skills: RemoteSkills): SkillFolder {
  const { files } = skill
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
      if (size <= maxBytes) return skills.read(skill, clean)
      const message = `${JSON.stringify(clean)} in ${location} has ${size} bytes; at most ${maxBytes} are read.`
      throw new SkillError('RESOURCE_TOO_LARGE', message, { path: clean })
    },
    // The digests are the server's, and every file is compared with them when it is read: so what is agreed to is bound
    // to all files, and only SKILL.md is fetched for it.
    async survey() {
      const manifest = await skills.read(skill, 'SKILL.md')
      const known = new Map([...files].map(([path, { sha256 }]) => [path, sha256]))
      const list = listing()
      const measured = await measureFolder(folder, list, { path: 'SKILL.md', bytes: manifest }, known)
      return { manifest, listing: list, ...measured }
    },
  }
  return folder
}
