import { createBashTool, experimental_createSkillTool } from 'bash-tool'
import { shownInAiSdk } from './ai-sdk.ts'
import type { Show } from './system.ts'

/** Its agent reads the files of skills with the shell that the agent also has without skills. */
export const show: Show = async (skills, folder) => {
  if (skills.length === 0) return shownInAiSdk({ tools: (await createBashTool()).tools })
  const { skill, files, instructions } = await experimental_createSkillTool({ skillsDirectory: folder })
  const { tools } = await createBashTool({ files, extraInstructions: instructions })
  return shownInAiSdk({ tools: { skill, ...tools } })
}
