import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import type { LanguageModel, ToolSet } from 'ai'

export async function correctTypos(model: LanguageModel, tools: ToolSet, ask: (question: string) => Promise<boolean>) {
  const repertoire = await openSkills('.agents/skills')
  const agent = skillsAgent({ model, tools, repertoire, session: { consent: ({ text }) => ask(text) } })
  const { text } = await agent.generate({ prompt: 'Correct the typos in docs/intro.md.' })
  return text
}
