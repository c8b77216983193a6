import { withOrigin } from '../manifest/with-origin.ts'
import type { SkillFolder } from '../ports/folder.ts'
import type { Manifest } from '../ports/manifest.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { FoundSkill } from '../ports/source.ts'
import type { SkillLocator } from './fast-visit.ts'
import { timedFolder } from './timed-folder.ts'

/** What the skills of one parent folder have in common. */
interface Origin {
  readonly layer: Layer
  readonly source: string
  readonly locator: SkillLocator
  /** For each read of a folder, in milliseconds. */
  readonly loadTimeout: number
}

/**
 * A skill that keeps its manifest and its folder's name and computes everything else on access. It takes a third of the
 * memory, and a program reads the paths of only a few of its thousands of skills.
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
    return timedFolder(this.#origin.locator.folder(this.#folderName), this.#origin.loadTimeout)
  }

  /** Returns the same properties as any other skill has. */
  toJSON(): Skill {
    const { name, manifest, layer, source, location, path, folder } = this
    return { name, manifest, layer, source, location, path, folder }
  }
}

/** Makes a skill from a candidate and its manifest. */
export type ToSkill = (
  found: FoundSkill,
  manifest: Manifest,
  source: string,
  locator: SkillLocator | undefined,
) => Skill

/**
 * Returns a function that makes the skills of one source.
 * @param loadTimeout for each read of a folder, in milliseconds
 */
export function createToSkill(layer: Layer, loadTimeout: number): ToSkill {
  let origin: Origin | undefined
  return (found, manifest, source, locator) => {
    const { origin: importedFrom } = found
    if (locator === undefined || importedFrom !== undefined) {
      const { path } = found
      const folder = timedFolder(found.folder, loadTimeout)
      const skill = { name: manifest.name, layer, source, location: folder.location, path, folder }
      if (importedFrom === undefined) return { ...skill, manifest }
      return { ...skill, manifest: withOrigin(manifest, importedFrom), origin: importedFrom }
    }
    if (origin?.locator !== locator || origin.source !== source) origin = { layer, source, locator, loadTimeout }
    return new LazySkill(manifest, found.folderName, origin)
  }
}
