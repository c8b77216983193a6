import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { createDeepAgent, FilesystemBackend } from 'deepagents'
import { INSTRUCTIONS, TASK } from '../adapters/agent.ts'
import type { Show } from './system.ts'

class Listener extends BaseChatModel {
  messages: readonly BaseMessage[] = []
  tools: readonly unknown[] = []

  constructor() {
    super({})
  }

  _llmType(): string {
    return 'listener'
  }

  override bindTools(tools: Parameters<typeof convertToOpenAITool>[0][]): this {
    this.tools = tools.map((each) => convertToOpenAITool(each))
    return this
  }

  async _generate(messages: readonly BaseMessage[]) {
    this.messages = messages
    const message = new AIMessage('Done.')
    return { generations: [{ text: message.text, message }] }
  }
}

/** Its agent reads skills with the file tools that it always has. */
export const show: Show = async (skills, folder) => {
  const model = new Listener()
  const agent = createDeepAgent({
    model,
    systemPrompt: INSTRUCTIONS,
    backend: new FilesystemBackend({ rootDir: folder, virtualMode: true }),
    skills: skills.length === 0 ? [] : ['/'],
  })
  await agent.invoke({ messages: [{ role: 'user', content: TASK }] })
  return { prompt: model.messages.map(({ content }) => content), tools: model.tools }
}
