import { withOrigin, type SkillFolder, type Manifest, type Layer, type Skill } from '@repertoire/skill-md/internal'
import type { FoundSkill } from '../ports/source.ts'
import { timedFolder } from './timed-folder.ts'

/** Where a skill comes from, and how long each read of its folder may take, in milliseconds. */
interface SkillPlace {
  readonly layer: Layer
  readonly source: string
  readonly loadTimeout: number
}

/** A class for its getter: the methods of a folder with a deadline would take most of the memory of a thousand skills. */
class SourceSkill implements Skill {
  readonly name: string
  readonly layer: Layer
  readonly source: string
  readonly location: string
  readonly path: string
  readonly manifest: Manifest
  readonly #folder: SkillFolder
  readonly #loadTimeout: number

  constructor({ path, folder }: FoundSkill, manifest: Manifest, { layer, source, loadTimeout }: SkillPlace) {
    this.name = manifest.name
    this.layer = layer
    this.source = source
    this.location = folder.location
    this.path = path
    this.manifest = manifest
    this.#folder = folder
    this.#loadTimeout = loadTimeout
  }

  get folder(): SkillFolder {
    return timedFolder(this.#folder, this.#loadTimeout)
  }
}

/** Makes a skill of a candidate and its manifest. */
export function toSkill(found: FoundSkill, manifest: Manifest, place: SkillPlace): Skill {
  const { origin } = found
  if (origin === undefined) return new SourceSkill(found, manifest, place)
  const skill = new SourceSkill(found, withOrigin(manifest, origin), place)
  return Object.assign(skill, { origin })
}
