import { isSkillError } from '@repertoire/core'
import type { Repertoire, SkillStore, StoredSkill, ToolDefinition } from '@repertoire/core'
import { skillToolsOf } from '@repertoire/core/adapter'
import { contentOf } from './new-skill.ts'
import type { NewSkill } from './new-skill.ts'

/** Options of `createRegistry`. */
export interface RegistryOptions<Tool extends ToolDefinition = ToolDefinition> {
  readonly store: SkillStore
  /** The host's own tools, which are always there. Default none. */
  readonly tools?: readonly Tool[]
  /** An open repertoire with the store among its sources: what is created or activated is in its catalog at once. */
  readonly repertoire?: Pick<Repertoire, 'reload'>
  /** As in the configuration. False: no skill is loaded, and no tool offered but the host's. Default true. */
  readonly enabled?: boolean
}

/** Creates skills in a store, and offers those that are stored as tools. */
export interface SkillRegistry<Tool extends ToolDefinition = ToolDefinition> {
  readonly store: SkillStore
  /**
   * Checks a new skill and saves it with the status `active`. That is not consent: a session asks when it is activated.
   * @throws {SkillError} MANIFEST_INVALID (the message names all types), STORE_CONFLICT (the name is taken), and what a
   * write of the store refuses
   */
  create(skill: NewSkill): Promise<StoredSkill>
  /**
   * Sets the status of a stored skill to `active`, so that it is listed. It activates it in no session.
   * @throws {SkillError} SKILL_NOT_FOUND, SKILL_BROKEN, and what a write of the store refuses
   */
  activate(name: string): Promise<StoredSkill>
  /** Reads all active skills of the store. From then on, what is created or activated here is loaded at once. */
  load(): Promise<readonly ToolDefinition[]>
  /**
   * The stored skills as tools, `skill_<name>`, without those of the host; empty before `load`. Another list after each
   * load, and never changed: a load that runs meanwhile is not seen in part.
   */
  loadedSkills(): readonly ToolDefinition[]
  /** The host's tools and the loaded skills. No name occurs twice: a skill does not replace a tool of the host's. */
  allTools(): readonly (Tool | ToolDefinition)[]
}

/** How often a status is set again after another writer came between. */
const MAX_TRIES = 10

/** Returns a registry over a store. Nothing is read or written by that. */
export function createRegistry<Tool extends ToolDefinition>(options: RegistryOptions<Tool>): SkillRegistry<Tool> {
  const { store, repertoire, enabled = true } = options
  const tools = [...(options.tools ?? [])]
  let loaded: readonly ToolDefinition[] = []
  let isLoaded = false
  /** One load after the other: the last that was asked for is the one that stays. */
  let loading: Promise<unknown> = Promise.resolve()

  const load = (): Promise<readonly ToolDefinition[]> => {
    const next = loading.then(async () => {
      const skills = enabled ? await store.listActive() : []
      const listed = skills.map(({ name, manifest, folder }) => ({
        name,
        manifest,
        path: `${folder.location}/SKILL.md`,
      }))
      loaded = Object.freeze(skillToolsOf(listed).slice())
      isLoaded = true
      return loaded
    })
    loading = next.catch(() => undefined)
    return next
  }
  const changed = async (name: string): Promise<StoredSkill> => {
    if (isLoaded) await load()
    await repertoire?.reload({ force: true })
    return store.get(name)
  }
  return {
    store,
    async create(skill) {
      await store.save(await contentOf(skill), { ifRevision: null })
      return changed(skill.name)
    },
    async activate(name) {
      for (let tries = 1; ; tries++) {
        const { manifest, body, definition, revision } = await store.get(name)
        if (manifest.status === 'active') break
        try {
          await store.save({ manifest: { ...manifest, status: 'active' }, body, definition }, { ifRevision: revision })
          break
        } catch (error) {
          if (!isSkillError(error) || error.code !== 'STORE_CONFLICT' || tries === MAX_TRIES) throw error
        }
      }
      return changed(name)
    },
    load,
    loadedSkills: () => loaded,
    allTools() {
      const names = new Set(tools.map(({ name }) => name))
      return [...tools, ...loaded.filter(({ name }) => !names.has(name))]
    },
  }
}
