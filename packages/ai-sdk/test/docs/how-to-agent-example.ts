import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import type { LanguageModel, ToolSet } from 'ai'

export async function openAgent(model: LanguageModel, tools: ToolSet, ask: (question: string) => Promise<boolean>) {
  const repertoire = await openSkills('.agents/skills')
  return skillsAgent({ model, tools, repertoire, session: { consent: ({ text }) => ask(text) } })
}
