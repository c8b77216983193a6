import { openRepertoire, type Repertoire, type RepertoireOptions } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** More than any tree here has: the default limit is for unknown folders. */
const MAX_FOLDERS = 1_000_000

/** Opens the skills of a tree. */
export function openTree(root: string, options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ ...options, sources: [directorySource({ root, layer: 'project', maxFolders: MAX_FOLDERS })] })
}

/** A skill to activate, and the folder that is read for it. */
export interface Sampled {
  readonly name: string
  readonly folder: string
}

/** About `count` skills, spread over the whole catalog. */
export async function sampleSkills(root: string, count: number): Promise<readonly Sampled[]> {
  const { catalog } = await openTree(root)
  const skills = catalog.list()
  const step = Math.max(1, Math.floor(skills.length / count))
  return skills
    .filter((_, index) => index % step === 0)
    .slice(0, count)
    .map(({ name, location }) => ({ name, folder: location }))
}
