import type { BaseChatModel as ChatModel } from '@langchain/core/language_models/chat_models'

/** The agents' instructions and task, without a word about skills. */
export const INSTRUCTIONS = 'You are an agent.'
export const TASK = 'Do what is to be done.'

export interface PlannedCall {
  readonly id: string
  readonly tool: string
  readonly input: object
}

/** What a model is given. Only models of the AI SDK say it. */
export interface Request {
  readonly prompt?: unknown
  readonly tools?: unknown
}

/** What a model answers: the next call, or nothing when it is done. */
export type Plan = (request: Request) => PlannedCall | undefined

/** A model of the AI SDK, and of Mastra, that answers at once. */
export function languageModel(plan: Plan, specificationVersion: 'v3' | 'v4' = 'v4'): never {
  const model = {
    specificationVersion,
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    async doGenerate({ prompt, tools }: Request) {
      const call = plan({ prompt, tools })
      const content =
        call === undefined
          ? { type: 'text', text: 'Done.' }
          : { type: 'tool-call', toolCallId: call.id, toolName: call.tool, input: JSON.stringify(call.input) }
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const finishReason = { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined }
      return { content: [content], finishReason, usage, warnings: [] }
    },
  }
  return model as never
}

/** A model of LangChain that answers at once. */
export async function chatModel(plan: Plan): Promise<ChatModel> {
  const { BaseChatModel } = await import('@langchain/core/language_models/chat_models')
  const { AIMessage } = await import('@langchain/core/messages')
  class PlannedModel extends BaseChatModel {
    _llmType(): string {
      return 'planned'
    }

    override bindTools(): this {
      return this
    }

    async _generate() {
      const call = plan({})
      const message =
        call === undefined
          ? new AIMessage('Done.')
          : new AIMessage({ content: '', tool_calls: [{ id: call.id, name: call.tool, args: { ...call.input } }] })
      return { generations: [{ text: message.text, message }] }
    }
  }
  return new PlannedModel({})
}
