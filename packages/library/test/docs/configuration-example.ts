import { loadConfiguration, openConfigured } from '@repertoire/core/node'
import { createSkillRegistry, openFileStore } from '@repertoire/library'

/** Opens the skills of a program, which it reads and writes in one folder, unless its user has turned them off. */
export async function openProgram(skillsDir: string, enabled: boolean) {
  const configuration = await loadConfiguration({ overrides: { skillsDir, enabled } })
  const repertoire = await openConfigured(configuration)
  const store = await openFileStore({ root: skillsDir, layer: 'personal' })
  return { repertoire, registry: createSkillRegistry({ store, repertoire, enabled: configuration.enabled }) }
}
