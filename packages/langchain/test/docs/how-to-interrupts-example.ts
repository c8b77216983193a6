import { MemorySaver } from '@langchain/langgraph'
import { openSkills } from '@repertoire/core/node'
import { consentRequests, resumeWith, skillsMiddleware } from '@repertoire/langchain'
import { createAgent, type CreateAgentParams } from 'langchain'

export async function answer(host: CreateAgentParams, content: string, ask: (question: string) => boolean) {
  const middleware = [skillsMiddleware(await openSkills('.agents/skills'))]
  const agent = createAgent({ ...host, middleware, checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 'ticket-7' } }
  const read = () => consentRequests(agent, config)
  let result = await agent.invoke({ messages: [{ role: 'user', content }] }, config)
  for (let pending = await read(); pending.length > 0; pending = await read()) {
    const answers = pending.map(({ request: { id, text } }) => ({ requestId: id, approved: ask(text) }))
    result = await agent.invoke(resumeWith(pending, answers), config)
  }
  return result.messages.at(-1)?.text
}
