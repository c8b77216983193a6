import type { SkillFolder } from '../ports/folder.ts'
import type { Manifest } from '../ports/manifest.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { FoundSkill } from '../ports/source.ts'
import type { SkillLocator } from './fast-visit.ts'

/** What skills that lie side by side have in common. */
interface Origin {
  readonly layer: Layer
  readonly source: string
  readonly locator: SkillLocator
}

/**
 * A skill that keeps its manifest and its folder's name, and computes everything else when it is read: in a third of the
 * memory, and of the thousands that are kept, nobody asks for the paths of more than a few.
 */
class LazySkill implements Skill {
  readonly manifest: Manifest
  readonly #folderName: string
  readonly #origin: Origin

  constructor(manifest: Manifest, folderName: string, origin: Origin) {
    this.manifest = manifest
    this.#folderName = folderName
    this.#origin = origin
  }

  get name(): string {
    return this.manifest.name
  }

  get layer(): Layer {
    return this.#origin.layer
  }

  get source(): string {
    return this.#origin.source
  }

  get location(): string {
    return this.#origin.locator.location(this.#folderName)
  }

  get path(): string {
    return this.#origin.locator.path(this.#folderName)
  }

  get folder(): SkillFolder {
    return this.#origin.locator.folder(this.#folderName)
  }

  /** As any other skill. */
  toJSON(): Skill {
    const { name, manifest, layer, source, location, path, folder } = this
    return { name, manifest, layer, source, location, path, folder }
  }
}

/** Makes a skill of a candidate and its manifest. */
export type ToSkill = (
  found: FoundSkill,
  manifest: Manifest,
  source: string,
  locator: SkillLocator | undefined,
) => Skill

/** For the skills of one source. */
export function createToSkill(layer: Layer): ToSkill {
  let origin: Origin | undefined
  return (found, manifest, source, locator) => {
    if (locator === undefined) {
      const { folder, path } = found
      return { name: manifest.name, manifest, layer, source, location: folder.location, path, folder }
    }
    if (origin?.locator !== locator || origin.source !== source) origin = { layer, source, locator }
    return new LazySkill(manifest, found.folderName, origin)
  }
}
