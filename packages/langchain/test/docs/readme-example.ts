import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { activeSkills, consentRequests, endSkills, resumeWith, skillsMiddleware } from '@repertoire/langchain'
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
for (let asked = consentRequests(result); asked.length > 0; asked = consentRequests(result)) {
  result = await agent.invoke(resumeWith(result, asked.map(askSomebody)), config)
}

console.log(result.messages.at(-1)?.text, await activeSkills(agent, config))
await endSkills(repertoire, agent, config)

function askSomebody({ id, text }: ConsentRequest): ConsentAnswer {
  console.log(text) // the skill's description, its folder and digest, its tools and scripts
  return { requestId: id, approved: true }
}
