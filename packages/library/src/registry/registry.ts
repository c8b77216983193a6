import {
  checkOptions,
  flag,
  foreign,
  listOf,
  required,
  type OptionTable,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import { createSkillExecutor, showName, SkillError } from '@repertoire/core'
import { parseSkill } from '@repertoire/core/authoring'
import type { SkillExecutor, Repertoire, Skill, SkillStore, StoredSkill, ToolDefinition } from '@repertoire/core'
import { realPathOf } from '../real-path.ts'
import { contentOf, type NewSkill } from './new-skill.ts'
import { skillTools, type SkillTool } from './skill-tools.ts'

/** Options of `createSkillRegistry`. */
export interface SkillRegistryOptions<Tool extends ToolDefinition = ToolDefinition> {
  readonly store: SkillStore
  /** The host's own tools, which are always there. Default none. */
  readonly tools?: readonly Tool[] | undefined
  /**
   * Executes the skills whose tools are called outside of a session. Default: one without a runner, which returns
   * instructions and plans, renders templates, and refuses scripts.
   */
  readonly executor?: SkillExecutor | undefined
  /**
   * An open repertoire with the store among its sources. A change here is in its catalog at once, and a name that
   * another source has already is refused.
   */
  readonly repertoire?: Pick<Repertoire, 'reload' | 'catalog'> | undefined
  /** As in the configuration. False: no skill is loaded, and no tool offered but the host's. Default true. */
  readonly enabled?: boolean | undefined
}

/** Creates skills in a store, and offers those that are stored as tools. */
export interface SkillRegistry<Tool extends ToolDefinition = ToolDefinition> {
  readonly store: SkillStore
  /**
   * Checks a new skill and saves it with the status `active`. That is not consent: a session asks when it is activated.
   * @throws {SkillError} MANIFEST_INVALID (the message names all types), STORE_CONFLICT (the store, or another source
   * of the repertoire, has a skill of that name), and what a write of the store refuses
   */
  create(skill: NewSkill): Promise<StoredSkill>
  /**
   * Sets the status of a stored skill to `active`, so that it is listed. It activates it in no session. Nothing else in
   * its file changes.
   * @throws {SkillError} MANIFEST_INVALID (its file states the status in a form that is not edited), SKILL_NOT_FOUND,
   * SKILL_BROKEN, STORE_CONFLICT (another source of the repertoire has a skill of that name, or another writer came
   * between), and what a write of the store refuses
   */
  activate(name: string): Promise<StoredSkill>
  /**
   * Reads all active skills of the store, as each `create` and `activate` does. With a repertoire, a skill that another
   * source shadows is left out: `catalog.shadowed` and `catalog.diagnostics` name it.
   */
  load(): Promise<readonly SkillTool[]>
  /**
   * The stored skills as tools, `skill_<name>`, without those of the host; empty before the first load. Another list
   * after each load, and never changed: a load that runs meanwhile is not seen in part.
   *
   * A call of one executes the skill as it is stored then, by the `executor`, and returns its `ExecutionOutcome`.
   * No consent is asked for, and no rules are judged: a session offers the skills of its repertoire with both.
   * @throws {SkillError} by a call: SKILL_NOT_FOUND (it was deleted, or is not active), SKILL_BROKEN
   */
  loadedSkills(): readonly SkillTool[]
  /** The host's tools and the loaded skills. No name occurs twice: a skill does not replace a tool of the host's. */
  allTools(): readonly (Tool | SkillTool)[]
}

const OPTIONS: OptionTable<SkillRegistryOptions> = {
  store: required(withMethods('a store, as from `await openFileStore()`', 'get', 'listActive', 'save')),
  tools: listOf(
    foreign('a tool with a name', (value) => typeof (value as { name?: unknown } | null)?.name === 'string'),
  ),
  executor: withMethods('an executor, as from `createSkillExecutor()`', 'check', 'execute'),
  repertoire: withMethods("a repertoire, as from `await openSkills('.agents/skills')`", 'reload'),
  enabled: withDefault(true, flag),
}

/**
 * Returns a registry over a store. Nothing is read or written by that.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function createSkillRegistry<Tool extends ToolDefinition>(
  options: SkillRegistryOptions<Tool>,
): SkillRegistry<Tool> {
  checkOptions('createSkillRegistry', OPTIONS, options, 'createSkillRegistry({ store })')
  const { store, repertoire, enabled = true, executor = createSkillExecutor() } = options
  const tools = [...(options.tools ?? [])]
  const hostNames = new Set(tools.map(({ name }) => name))
  let loaded: readonly SkillTool[] = []
  /** One load after the other: the last that was asked for is the one that stays. */
  let loading: Promise<unknown> = Promise.resolve()

  const load = (): Promise<readonly SkillTool[]> => {
    const next = loading.then(async () => {
      const skills = enabled ? await store.listActive() : []
      const own = skills.filter(({ name, folder }) => otherSource(name, folder.location) === undefined)
      loaded = Object.freeze(skillTools(own, store, executor))
      return loaded
    })
    loading = next.catch(() => undefined)
    return next
  }
  /** The skill of a name that the catalog has from another place than the store. */
  const otherSource = (name: string, location?: string): Skill | undefined => {
    if (repertoire === undefined || !repertoire.catalog.has(name)) return undefined
    const skill = repertoire.catalog.get(name)
    // The same folder may also be a source under another id, as in a configuration.
    const isSame =
      skill.source === store.id || (location !== undefined && realPathOf(skill.location) === realPathOf(location))
    return isSame ? undefined : skill
  }
  const refuseShadowed = async (name: string, location?: string): Promise<void> => {
    await repertoire?.reload({ force: true })
    const other = otherSource(name, location)
    if (other === undefined) return
    const message = `The skill "${showName(name)}" was not written: the source ${showName(other.source)} has a skill of that name, in ${showName(other.location)}. One of them would shadow the other. Choose another name.`
    throw new SkillError('STORE_CONFLICT', message, { path: other.path })
  }
  const changed = async (name: string): Promise<StoredSkill> => {
    await repertoire?.reload({ force: true })
    await load()
    return store.get(name)
  }
  return {
    store,
    async create(skill) {
      const content = await contentOf(skill)
      await refuseShadowed(skill.name)
      await store.save(content, { ifRevision: null })
      return changed(skill.name)
    },
    async activate(name) {
      const { manifest, folder, revision } = await store.get(name)
      if (manifest.status !== 'active') {
        await refuseShadowed(name, folder.location)
        // From the file itself: it says nothing of where the skill came from, and the store does.
        const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await folder.readManifest())
        const written = await parseSkill(before)
        const activated = { ...(written.manifest ?? manifest), status: 'active' as const }
        const content = { ...written, manifest: activated, text: asActive(name, before) }
        await store.save(content, { ifRevision: revision })
      }
      return changed(name)
    },
    load,
    loadedSkills: () => loaded,
    allTools: () => [...tools, ...loaded.filter(({ name }) => !hostNames.has(name))],
  }
}

/** Returns the text of a SKILL.md with the status `active`. Saving it checks that nothing else has changed. */
function asActive(name: string, before: string): string {
  const edited = before.replace(/^(status[ \t]*:[ \t]*)(["']?)(?:draft|disabled)\2(?=[ \t\r\n])/m, '$1active')
  if (edited !== before) return edited
  const message = `The skill "${showName(name)}" is not activated: its SKILL.md has no line such as "status: draft". Write "status: active" there.`
  throw new SkillError('MANIFEST_INVALID', message)
}
