import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import type { ConsentAnswer } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import {
  activeSkills,
  consentRequests,
  endSkills,
  type PendingConsent,
  resumeWith,
  skillsMiddleware,
} from '@repertoire/langchain'
import { createAgent } from 'langchain'

const repertoire = await openSkills('.agents/skills')
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.2' }),
  tools: [],
  checkpointer: new MemorySaver(),
  middleware: [skillsMiddleware(repertoire, { agent: 'coder' })],
})

const config = { configurable: { thread_id: 'ticket-7' } }
let result = await agent.invoke({ messages: [{ role: 'user', content: 'Write the release notes.' }] }, config)

// The run waits for consent to each skill that it activates for the first time.
const read = () => consentRequests(agent, config)
for (let pending = await read(); pending.length > 0; pending = await read()) {
  result = await agent.invoke(resumeWith(pending, pending.map(askSomebody)), config)
}

console.log(result.messages.at(-1)?.text, await activeSkills(agent, config))
await endSkills(repertoire, agent, config)

function askSomebody({ request: { id, text } }: PendingConsent): ConsentAnswer {
  console.log(text) // the skill's description, its folder and digest, its tools and scripts
  return { requestId: id, approved: true }
}
