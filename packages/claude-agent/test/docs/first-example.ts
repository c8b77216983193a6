import { claudeAgent } from '@repertoire/claude-agent'
import { askInTerminal, openSkills } from '@repertoire/core/node'

const repertoire = await openSkills('.agents/skills')
const agent = claudeAgent({ repertoire, session: { consent: askInTerminal() } })
for await (const message of agent.query('Commit message: I renamed colour to color.')) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
}
