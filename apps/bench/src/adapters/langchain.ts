import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { skillsMiddleware } from '@repertoire/langchain'
import { createAgent, createMiddleware } from 'langchain'
import { type Agent, type AgentParts, INSTRUCTIONS, type Plan, planOf, TASK } from './agent.ts'

/** The hooks that ours has, with nothing in them: to have any costs a step of the graph something. */
const EMPTY = createMiddleware({
  name: 'empty',
  beforeAgent: () => undefined,
  wrapModelCall: (request, handler) => handler(request),
  wrapToolCall: (request, handler) => handler(request),
})
/** Nodes of the graph that a step may take. */
const NODES_PER_STEP = 8

class PlannedModel extends BaseChatModel {
  readonly #plan: Plan

  constructor(plan: Plan) {
    super({})
    this.#plan = plan
  }

  _llmType(): string {
    return 'planned'
  }

  override bindTools(): this {
    return this
  }

  async _generate() {
    const call = this.#plan.next()
    const message =
      call === undefined
        ? new AIMessage('Done.')
        : new AIMessage({ content: '', tool_calls: [{ id: call.id, name: call.tool, args: call.input }] })
    return { generations: [{ text: message.text, message }] }
  }
}

export function prepareAgent({ tools: given, repertoire }: AgentParts): Agent {
  const tools = given.map((each) =>
    tool(
      async (input: unknown, { toolCall }) =>
        String(await each.execute(input as never, { callId: toolCall?.id ?? '' })),
      { name: each.name, description: each.description, schema: each.inputSchema },
    ),
  )
  const middleware = [repertoire === undefined ? EMPTY : skillsMiddleware(repertoire, { consent: () => true })]
  return {
    async run(calls) {
      const plan = planOf(calls)
      const agent = createAgent({ model: new PlannedModel(plan), tools, middleware, systemPrompt: INSTRUCTIONS })
      await agent.invoke(
        { messages: [{ role: 'user', content: TASK }] },
        { recursionLimit: NODES_PER_STEP * (calls + 2) },
      )
      return plan.steps()
    },
  }
}
