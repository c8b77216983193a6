import { loadSkillCatalog, manifest } from 'agents/skills'
import { createSkillTools } from 'agents/skills/tools/ai-sdk'
import { INSTRUCTIONS } from '../adapters/agent.ts'
import { shownInAiSdk } from './ai-sdk.ts'
import type { Show } from './system.ts'

/** Its agent reads the files of skills with a tool that comes with the skills. Scripts are not run. */
export const show: Show = async (skills) => {
  const source = manifest({
    id: 'bench',
    skills: skills.map(({ name, description, body, files }) => ({
      name,
      description,
      body,
      resources: Object.entries(files)
        .filter(([path]) => path !== 'SKILL.md')
        .map(([path, content]) => ({ path, content })),
    })),
  })
  const catalog = await loadSkillCatalog([source])
  return shownInAiSdk({
    instructions: [INSTRUCTIONS, catalog.prompt()].filter((each) => each !== null).join('\n\n'),
    tools: createSkillTools(catalog),
  })
}
