import type { SkillFolder } from '../ports/folder.ts'
import type { Manifest } from '../ports/manifest.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { FoundSkill, SkillLocator } from '../ports/source.ts'

/** What skills that lie side by side have in common. */
interface Origin {
  readonly layer: Layer
  readonly source: string
  readonly shelf: SkillLocator
}

/**
 * A skill that keeps its manifest and its folder's name, and gives all else when it is asked: in a third of the memory,
 * and of the thousands that are kept, nobody asks for the paths of more than a few.
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
    return this.#origin.shelf.location(this.#folderName)
  }

  get path(): string {
    return this.#origin.shelf.path(this.#folderName)
  }

  get folder(): SkillFolder {
    return this.#origin.shelf.folder(this.#folderName)
  }

  /** As any other skill. */
  toJSON(): Skill {
    const { name, manifest, layer, source, location, path, folder } = this
    return { name, manifest, layer, source, location, path, folder }
  }
}

const PLACES = ['location', 'path', 'folder'] as const

/** Makes a skill of a candidate and what was read of it. */
export type ToSkill = (found: FoundSkill, manifest: Manifest, source: string, shelf: SkillLocator | undefined) => Skill

/** For the skills of one source. */
export function createToSkill(layer: Layer): ToSkill {
  let origin: Origin | undefined
  return (found, manifest, source, shelf) => {
    if (!isLocator(shelf)) {
      const { folder, path } = found
      return { name: manifest.name, manifest, layer, source, location: folder.location, path, folder }
    }
    if (origin?.shelf !== shelf || origin.source !== source) origin = { layer, source, shelf }
    return new LazySkill(manifest, found.folderName, origin)
  }
}

/** A source that hands its visitor to `forEach` passes an index here. */
function isLocator(value: unknown): value is SkillLocator {
  return (
    typeof value === 'object' &&
    value !== null &&
    PLACES.every((place) => typeof Reflect.get(value, place) === 'function')
  )
}
