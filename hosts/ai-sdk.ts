import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Host, HostTask } from '@repertoire/conformance/host'
import { jsonSchema, type ModelMessage, stepCountIs, tool, ToolLoopAgent, type ToolSet } from 'ai'

/** Returns the host's tools as the AI SDK takes them. */
export function aiSdkTools(tools: HostTask['tools']): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, ...own }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: (input, { toolCallId: callId }) => own.execute(input, { callId }),
      }),
    ]),
  )
}

/** Returns the model as the AI SDK takes it. */
export function aiSdkModel({ baseURL, apiKey, model }: HostTask['endpoint']) {
  return createOpenAICompatible({ name: 'host', baseURL, apiKey })(model)
}

/** Returns a host for systems that give tools and a prompt to the AI SDK, and leave the conversation to it. */
export function aiSdkHost(task: HostTask, skillTools: ToolSet, skillPrompt?: string | null): Host {
  const agent = new ToolLoopAgent({
    model: aiSdkModel(task.endpoint),
    instructions: [task.instructions, skillPrompt].filter(Boolean).join('\n\n'),
    tools: { ...aiSdkTools(task.tools), ...skillTools },
    stopWhen: stepCountIs(40),
    maxRetries: 0,
  })
  const messages: ModelMessage[] = []
  return {
    async send(text) {
      messages.push({ role: 'user', content: text })
      const { response } = await agent.generate({ messages })
      messages.push(...response.messages)
    },
  }
}
