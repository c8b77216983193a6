import { MemorySaver } from '@langchain/langgraph'
import { openSkills } from '@repertoire/core/node'
import { consentRequests, resumeWith, skillsMiddleware } from '@repertoire/langchain'
import { createAgent, type CreateAgentParams } from 'langchain'

export async function answer(host: CreateAgentParams, content: string, ask: (question: string) => boolean) {
  const middleware = [skillsMiddleware(await openSkills('.agents/skills'))]
  const agent = createAgent({ ...host, middleware, checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 'ticket-7' } }
  let result = await agent.invoke({ messages: [{ role: 'user', content }] }, config)
  for (let open = await consentRequests(agent, config); open.length > 0; open = await consentRequests(agent, config)) {
    const answers = open.map(({ request: { id, text } }) => ({ requestId: id, approved: ask(text) }))
    result = await agent.invoke(resumeWith(open, answers), config)
  }
  return result.messages.at(-1)?.text
}
