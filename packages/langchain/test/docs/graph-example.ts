import { type BaseCheckpointSaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import type { Repertoire } from '@repertoire/core'
import { activeSkills, consentRequests, skillsMiddleware } from '@repertoire/langchain'
import { createAgent, type CreateAgentParams } from 'langchain'

export function supportGraph(host: CreateAgentParams, repertoire: Repertoire, checkpointer: BaseCheckpointSaver) {
  const agent = createAgent({ ...host, middleware: [skillsMiddleware(repertoire)], checkpointer: true })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('support', agent.graph)
    .addEdge(START, 'support')
    .compile({ checkpointer })
  return {
    graph,
    questions: (thread: string) => consentRequests(graph, { configurable: { thread_id: thread } }),
    active: (thread: string) => activeSkills(graph, { configurable: { thread_id: thread, checkpoint_ns: 'support' } }),
  }
}
