import type { FunctionTool, Session, ToolCall, ToolDefinition } from '@repertoire/core'
import { adapterSession, resultText } from '@repertoire/core/adapter'

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly calls?: readonly ToolCall[]
  readonly callId?: string
}

/** Your framework's model: it answers with a text, with calls, or with both. */
export type CallModel = (request: {
  readonly system: string | undefined
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
}) => Promise<{ readonly content: string; readonly calls: readonly ToolCall[] }>

/** Answers the last message of a conversation, which a person wrote. */
export async function answer(given: Session, messages: Message[], tools: readonly FunctionTool[], model: CallModel) {
  const session = adapterSession(given)
  const turn = await session.beginTurn(messages.at(-1)!.content)
  if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text })
  for (;;) {
    const step = await session.step({ tools: tools.map(({ name }) => name) })
    const offered = [...tools.filter(({ name }) => !step.isHidden(name)), ...step.tools]
    const describe = ({ role, content }: Message) => ({ role, text: content })
    const prompt = await step.prompt({ system: step.system(undefined), messages, describe })
    const { content, calls } = await model({ ...prompt, tools: offered })
    messages.push({ role: 'assistant', content, calls })
    if (calls.length === 0) return content
    for (const call of calls) {
      const outcome = await step.call(call, ({ tool, input }) => {
        return tools.find(({ name }) => name === tool)!.execute(input, { callId: call.id })
      })
      messages.push({ role: 'tool', callId: call.id, content: outcome.text ?? resultText(outcome.ok && outcome.value) })
    }
  }
}
