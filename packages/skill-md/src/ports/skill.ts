import type { SkillFolder } from './folder.ts'
import type { Manifest } from './manifest.ts'

/** Where a skill comes from, highest precedence first by default. The host chooses the layer; it is never guessed. */
export type Layer = 'enterprise' | 'personal' | 'project' | 'plugin' | 'bundled'

/** A skill in the catalog: its metadata, and its folder for everything else. Properties may be getters. */
export interface Skill {
  readonly name: string
  readonly manifest: Manifest
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
  /** Where it was installed from, as its source knows it. It is then also the `source` of the manifest. */
  readonly origin?: string | undefined
  /** The folder, as shown to people and models. */
  readonly location: string
  /** The manifest file. */
  readonly path: string
  /** The same folder at each access, though not always the same object. */
  readonly folder: SkillFolder
}
