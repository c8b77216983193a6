import { Agent as MastraAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { skillsAgent } from '@repertoire/mastra'
import { type Agent, type AgentParts, INSTRUCTIONS, type Plan, planOf, TASK } from './agent.ts'

export function prepareAgent({ tools: given, repertoire }: AgentParts): Agent {
  const tools = Object.fromEntries(
    given.map(({ name, description, inputSchema, ...each }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: inputSchema as never,
        execute: async (input: unknown, { agent }: any) =>
          each.execute(input as never, { callId: agent?.toolCallId ?? '' }),
      }),
    ]),
  )
  return {
    async run(calls) {
      const plan = planOf(calls)
      const config = { id: 'agent', name: 'Agent', instructions: INSTRUCTIONS, tools, model: modelOf(plan) }
      const agent =
        repertoire === undefined
          ? new MastraAgent(config)
          : skillsAgent(config, { repertoire, session: { consent: () => true } })
      await agent.generate(TASK, { maxSteps: calls + 1 })
      return plan.steps()
    },
  }
}

function modelOf(plan: Plan): never {
  const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } }
  const model = {
    specificationVersion: 'v3',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: async () => {
      const call = plan.next()
      const content =
        call === undefined
          ? { type: 'text', text: 'Done.' }
          : { type: 'tool-call', toolCallId: call.id, toolName: call.tool, input: JSON.stringify(call.input) }
      const unified = call === undefined ? 'stop' : 'tool-calls'
      return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
    doStream: () => {
      throw new Error('It is not streamed.')
    },
  }
  return model as never
}
