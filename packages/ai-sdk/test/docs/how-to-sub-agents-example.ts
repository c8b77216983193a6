import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import type { LanguageModel, ToolSet } from 'ai'

export async function openTeam(model: LanguageModel, cheapModel: LanguageModel, tools: ToolSet) {
  const repertoire = await openSkills('.agents/skills')
  const subagents = { reviewer: { instructions: 'You review code.', model: cheapModel, maxSteps: 30 } }
  return skillsAgent({ model, tools, repertoire, subagents, session: { consent: () => true } })
}
