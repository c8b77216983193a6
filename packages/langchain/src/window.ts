import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { ClientTool, ServerTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { Summarizer } from '@repertoire/core'
import { systemPrompt, type WindowMessage } from '@repertoire/core/adapter'
import { extendSystemMessage, isPersons, textOf, usageOf, wholeMessages } from './messages.ts'
import type { SkillStep } from './steps.ts'
import type { ModelRequest } from 'langchain'

/**
 * Returns the messages and the system message that are sent, so that they keep to the model's window, with the
 * instructions of active skills that the model no longer reads in the messages. The graph's state stays as it is.
 * @throws the signal's reason
 */
export async function fittedCall(
  step: SkillStep,
  model: BaseChatModel,
  tools: readonly (ClientTool | ServerTool)[],
  given: Pick<ModelRequest, 'messages' | 'systemMessage' | 'modelSettings' | 'runtime'>,
): Promise<{ readonly messages: BaseMessage[]; readonly systemMessage: SystemMessage }> {
  const { systemMessage, modelSettings, runtime } = given
  const messages = wholeMessages(given.messages)
  const ownSystem = messages.filter((message) => SystemMessage.isInstance(message))
  const parts = [...ownSystem.map(textOf), step.system(textOf(systemMessage) || undefined) ?? '']
  const spoken = messages.filter((message) => !SystemMessage.isInstance(message))
  const whole = systemPrompt(parts.map((content) => ({ content })))
  const { system, messages: sent } = await step.prompt<BaseMessage>({
    system: whole.text,
    messages: spoken,
    describe: windowMessage,
    tools: tools.map(toolJson),
    asMessage: (text) => new HumanMessage(text),
    summarize: summarizerOf(model),
    chained: isChained(modelSettings) || isChained(model),
    signal: runtime.signal,
  })
  const shown = whole.messages(system).at(-1)?.content || undefined
  // A host may have written system messages between the others.
  const all = sent === spoken ? messages : [...ownSystem, ...sent]
  return { messages: all, systemMessage: extendSystemMessage(shown, systemMessage) }
}

/** Tags that keep LangGraph from streaming a model call. */
const NOT_STREAMED = ['nostream', 'langsmith:nostream']

/** What providers report as the end of an answer that is a refusal. */
const REFUSED: ReadonlySet<unknown> = new Set(['refusal', 'SAFETY', 'content_filter'])

function summarizerOf(model: BaseChatModel): Summarizer {
  return async ({ instructions, prompt }, { signal }) => {
    const asked = [new SystemMessage(instructions), new HumanMessage(prompt)]
    const answer = await model.invoke(asked, { signal, tags: NOT_STREAMED, callbacks: [] })
    const ended = Object.values(answer.response_metadata).find((end): end is string => REFUSED.has(end))
    if (ended !== undefined) throw new Error(`The model did not write a summary (${ended}).`)
    return { text: answer.text, usage: usageOf(answer) }
  }
}

/** Ids of a conversation that the provider stores. */
const CONVERSATION = ['previous_response_id', 'conversation']

/** Whether the provider keeps the conversation: what is sent here is only its newest part. */
function isChained(settings: object | undefined): boolean {
  const { modelKwargs, defaultOptions } = (settings ?? {}) as { modelKwargs?: object; defaultOptions?: object }
  return [settings, modelKwargs, defaultOptions].some(
    (given) => given !== undefined && CONVERSATION.some((name) => typeof Reflect.get(given, name) === 'string'),
  )
}

/** Whether the provider has summarised what stands before a message. */
function isCompaction(message: BaseMessage): boolean {
  if (!AIMessage.isInstance(message)) return false
  const { content, response_metadata: metadata } = message
  const items: unknown = metadata['output']
  return [content, items].some((parts) => Array.isArray(parts) && parts.some((part) => typeOf(part) === 'compaction'))
}

/** Content that is text, or stands in the message a second time. */
const SAID: ReadonlySet<unknown> = new Set(['text', 'tool_use', 'tool_call', 'input_json_delta'])
const FILES: ReadonlySet<unknown> = new Set(
  `image image_url image_file file audio video document media input_audio input_image input_file`.split(' '),
)
/** A block of Gemini's has these in the place of a type. */
const FILE_PROPERTIES = ['inlineData', 'fileData']

/** Whether a block is an image or a file: its bytes are not text, however they are written. */
function isFile(block: object): boolean {
  return FILES.has(typeOf(block)) || FILE_PROPERTIES.some((name) => name in block)
}

/** A thought of Gemini's has the type of a text. */
function isSaid(block: object): boolean {
  return SAID.has(typeOf(block)) && !('thought' in block)
}

function windowMessage(message: BaseMessage): WindowMessage {
  const { content } = message
  const text = textOf(message)
  const blocks = (typeof content === 'string' ? [] : content) as readonly object[]
  const files = blocks.filter(isFile).length
  const hidden = blocks.filter((block) => !isSaid(block) && !isFile(block) && !('functionCall' in block))
  const more = { text, files: files || undefined, hidden: hidden.length > 0 ? JSON.stringify(hidden) : undefined }
  if (ToolMessage.isInstance(message)) return { role: 'tool', answers: [message.tool_call_id], ...more }
  if (!AIMessage.isInstance(message))
    return { role: 'user', own: HumanMessage.isInstance(message) && !isPersons(message), ...more }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, tool: name, input: args }))
  return { role: 'assistant', calls, compaction: isCompaction(message), ...more }
}

/** A tool as it is sent, about. */
function toolJson(tool: ClientTool | ServerTool): string {
  try {
    return JSON.stringify(convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0]))
  } catch {
    // A tool of a provider's, or one that only the host's own model understands.
    const { name, description } = tool as { readonly name?: unknown; readonly description?: unknown }
    return JSON.stringify({ name, description })
  }
}

function typeOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'type' in part ? part.type : undefined
}
