import type { AgentConfig } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { skillsAgent, type SkillsAgent } from '@repertoire/mastra'

/** An agent that waits for decisions. In production, all machines share both stores. */
export async function openAgent(config: AgentConfig): Promise<SkillsAgent> {
  const repertoire = await openSkills('.agents/skills')
  const agent = skillsAgent(config, { repertoire, sessions: memorySessions() })
  void new Mastra({ agents: { agent }, storage: new InMemoryStore() })
  return agent
}

/** Answers a message of a thread. Returns the questions that the run then waits for. */
export async function answer(agent: SkillsAgent, thread: string, message: string) {
  const output = await agent.stream(message, { memory: { thread, resource: 'user-7' } })
  for await (const text of output.textStream) process.stdout.write(text)
  const { finishReason, runId = '' } = await output.getFullOutput()
  const questions = finishReason === 'suspended' ? await agent.requests(runId) : []
  return { runId, questions: questions.map(({ toolCallId, request }) => ({ toolCallId, text: request.text })) }
}

/** Later, also in another process. */
export async function decide(agent: SkillsAgent, runId: string, toolCallId: string, approved: boolean) {
  const call = { runId, toolCallId }
  const output = approved ? await agent.approveToolCall(call) : await agent.declineToolCall(call)
  for await (const text of output.textStream) process.stdout.write(text)
}
