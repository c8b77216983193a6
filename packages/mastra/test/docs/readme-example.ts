import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { skillsAgent } from '@repertoire/mastra'

const repertoire = await openSkills('.agents/skills')

export const agent = skillsAgent(
  { id: 'assistant', name: 'Assistant', instructions: 'Be brief.', model: 'openai/gpt-5' },
  { repertoire, sessions: memorySessions() },
)
