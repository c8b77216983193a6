import { Agent } from '@openai/agents'
import { askInTerminal, openSkills } from '@repertoire/core/node'
import { skillsRunner } from '@repertoire/openai-agents'

const repertoire = await openSkills('.agents/skills')
const skills = skillsRunner({ repertoire, session: { consent: askInTerminal() } })
const agent = new Agent({ name: 'Committer', model: 'gpt-5.2' })
const { finalOutput } = await skills.run(agent, 'Commit message: I renamed colour to color.')
console.log(finalOutput)
