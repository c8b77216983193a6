import { Manifest, skills as skillsCapability } from '@openai/agents-core/sandbox'
import type { Show } from './system.ts'

/** Its agent reads skills with the shell that its sandbox always has. */
export const show: Show = async (skills) => {
  if (skills.length === 0) return { prompt: null, tools: [] }
  const capability = skillsCapability({
    skills: skills.map(({ name, description, files }) => ({ name, description, content: files['SKILL.md'] ?? '' })),
  })
  return { prompt: await capability.instructions(new Manifest()), tools: capability.tools() }
}
