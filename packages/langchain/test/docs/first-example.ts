import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsMiddleware } from '@repertoire/langchain'
import { createAgent } from 'langchain'

const repertoire = await openSkills('.agents/skills')
const skills = skillsMiddleware(repertoire, { consent: askInTerminal() })
const agent = createAgent({ model: 'openai:gpt-5.2', middleware: [skills] })
const { messages } = await agent.invoke({ messages: 'Commit message: I renamed colour to color.' })
console.log(messages.at(-1)?.text)
