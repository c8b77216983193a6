import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import type { LanguageModel, ToolSet } from 'ai'

export async function openDeployer(model: LanguageModel, tools: ToolSet, ask: (question: string) => Promise<boolean>) {
  const repertoire = await openSkills('.agents/skills', { policy: { ask: ['Bash(git push:*)'], deny: ['Bash(rm:*)'] } })
  return skillsAgent({ model, tools, repertoire, session: { consent: ({ text }) => ask(text) } })
}
