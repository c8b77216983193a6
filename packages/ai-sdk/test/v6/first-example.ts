import { openai } from '@ai-sdk/openai'
import { skillsAgent } from '@repertoire/ai-sdk/v6'
import { askInTerminal, openSkills } from '@repertoire/core/node'

const repertoire = await openSkills('.agents/skills')
const agent = skillsAgent({ model: openai('gpt-5.2'), repertoire, session: { consent: askInTerminal() } })
const { text } = await agent.generate({ prompt: 'Commit message: I renamed colour to color.' })
console.log(text)
