import { Command, INTERRUPT, isInterrupted, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { type ConsentAnswer, type ConsentRequest, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { activeSkills, endSkills, skillsMiddleware } from '@repertoire/langchain'
import { createAgent } from 'langchain'

const repertoire = await openRepertoire({ sources: standardSources({ project: process.cwd() }) })
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.2' }),
  tools: [],
  checkpointer: new MemorySaver(),
  middleware: [skillsMiddleware(repertoire, { agent: 'coder' })],
})

const config = { configurable: { thread_id: 'ticket-7' } }
let result = await agent.invoke({ messages: [{ role: 'user', content: 'Write the release notes.' }] }, config)

// The run waits where a skill is to be activated that nobody has agreed to yet.
while (isInterrupted(result)) {
  const answers = result[INTERRUPT].map(({ id, value }) => [id, askSomebody(value as ConsentRequest)])
  result = await agent.invoke(new Command({ resume: Object.fromEntries(answers) }), config)
}

console.log(result.messages.at(-1)?.text, await activeSkills(agent, config))
await endSkills(repertoire, agent, config)

function askSomebody({ id, text }: ConsentRequest): ConsentAnswer {
  console.log(text) // the skill's description, its folder and digest, its tools and scripts
  return { requestId: id, approved: true }
}
