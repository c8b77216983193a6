import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsAgent } from '@repertoire/mastra'

const repertoire = await openSkills('.agents/skills')
const agent = skillsAgent(
  { id: 'committer', name: 'Committer', instructions: 'Be brief.', model: 'openai/gpt-5.2' },
  { repertoire, session: { consent: askInTerminal() } },
)
const { text } = await agent.generate('Commit message: I renamed colour to color.')
console.log(text)
