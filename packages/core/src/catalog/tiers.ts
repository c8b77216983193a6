import {
  groupResources,
  type ResourceGroups,
  type Manifest,
  type Layer,
  type Skill,
} from '@repertoire/skill-md/internal'
import { findResource, type ReadOptions, type Resource } from '../resources/read.ts'
import type { Documents } from './documents.ts'
import type { CatalogView } from './view.ts'
import { hasCode } from '../text/message.ts'

/** What is known about a skill after reading only the head of its file. */
export interface SkillMetadata {
  readonly name: string
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
  /** The folder. */
  readonly location: string
  /** The manifest file: what a list shows as the skill's location. */
  readonly path: string
  readonly manifest: Manifest
}

/**
 * What a skill discloses, tier by tier: metadata of all skills, the instructions of one, then its resources. For a
 * host's own code: nothing is activated, no consent is requested, and scripts are read like any file. What a model sees
 * goes through a session. A skill that the viewer may not see is treated as one that does not exist.
 */
export interface SkillTiers {
  /** Returns the metadata of every visible skill, sorted by name. No file is read. */
  metadata(): readonly SkillMetadata[]
  /**
   * Returns the whole body of SKILL.md; null if there is no such skill or its SKILL.md was deleted. Cached as long
   * as `load` caches it.
   * @throws {SkillError} SKILL_BROKEN: the file cannot be read as a skill now; RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  instructions(name: string): Promise<string | null>
  /**
   * Returns the files in its folder by kind, without hidden ones; null: no such skill, or its folder was deleted.
   * @throws {SkillError} RESOURCE_REFUSED
   */
  resources(name: string): Promise<ResourceGroups | null>
  /**
   * Returns one of its files by relative path; null if there is no such skill or no such file.
   * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  resource(name: string, path: string, options?: ReadOptions): Promise<Resource | null>
}

/**
 * Returns the tiers of the skills that one viewer sees.
 * @param view returns the current view; it is called every time, so that each call uses the current catalog
 * @param load reads a skill's document, as `createDocuments` does
 */
export function tiersOf(view: () => CatalogView, load: Documents['load']): SkillTiers {
  /** Null if there is no such skill, or what is read of it is gone. */
  const ofSkill = async <T>(name: string, read: (skill: Skill) => Promise<T>): Promise<T | null> => {
    const skill = view().find(name)
    try {
      return skill === undefined ? null : await read(skill)
    } catch (error) {
      if (hasCode(error, 'RESOURCE_NOT_FOUND')) return null
      throw error
    }
  }
  return {
    metadata: () =>
      view()
        .list()
        .map(({ name, layer, source, location, path, manifest }) => ({
          name,
          layer,
          source,
          location,
          path,
          manifest,
        })),
    instructions: (name) => ofSkill(name, async (skill) => (await load(skill)).body),
    resources: (name) => ofSkill(name, async ({ folder }) => groupResources((await folder.list()).files)),
    resource: (name, path, options) => ofSkill(name, ({ folder }) => findResource(folder, path, options)),
  }
}
