import { DEFAULT_TOOL_NAMES, type TokenUsage } from '@repertoire/core'
import { argumentsAsObject, type InvocationCall, standsFor } from '@repertoire/core/adapter'
import { gateway, type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai'
import { withUniqueIds } from './call-ids.ts'
import type { CallOptions } from './call-settings.ts'
import type { SkillStep } from './steps.ts'
import { OWN } from './turn.ts'
import { promptOf } from './window.ts'

type Prompt = CallOptions['prompt']
type Streamed = Awaited<ReturnType<Parameters<NonNullable<LanguageModelMiddleware['wrapStream']>>[0]['doStream']>>
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never
type Usage = Extract<StreamPart, { type: 'finish' }>['usage']

/** How a step changes what AI SDK sends to the model. */
interface WireParts {
  readonly step: SkillStep
  /** Whether a tool is hidden from the model. */
  readonly hides: (tool: string) => boolean
  /** Called with the id of every call that an answer makes. */
  readonly makes: (callId: string) => void
  /** Called with the options of every model call. */
  readonly calls: (call: CallOptions) => void
}

/**
 * Wraps the model of a step, so that it sees the prompt and tools of that step. Tools are hidden here and not by
 * `activeTools`: AI SDK would then answer a call of a hidden tool itself, with other messages than core's.
 */
export function shownTo(model: LanguageModel, parts: WireParts): LanguageModel {
  return wrapLanguageModel({
    model: resolveModel(model),
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params, model: inner }) => {
        parts.calls(params)
        const call = { ...params, ...offered(params, parts), prompt: reworded(params.prompt, parts, inner) }
        return { ...call, prompt: await promptOf(parts.step, call, inner) }
      },
      wrapGenerate: async ({ doGenerate, params }) => {
        const result = await doGenerate()
        parts.step.recordUsage(tokens(result.usage))
        return { ...result, content: result.content.map(withUniqueIds(params.prompt, parts.makes)) }
      },
      wrapStream: async ({ doStream, params }) => {
        const { stream, ...rest } = await doStream()
        const named = withUniqueIds<StreamPart>(params.prompt, parts.makes)
        const counted = new TransformStream<StreamPart, StreamPart>({
          transform(part, controller) {
            if (part.type === 'finish') parts.step.recordUsage(tokens(part.usage))
            controller.enqueue(named(part))
          },
        })
        return { stream: stream.pipeThrough(counted), ...rest }
      },
    },
  })
}

/**
 * Returns a model that calls no endpoint: it answers with a call that represents a person's `/name`, since AI SDK asks
 * for the approval of tool calls alone. Models are never sent it.
 */
export function asking(model: LanguageModel, { id, input }: InvocationCall): LanguageModel {
  const toolName = DEFAULT_TOOL_NAMES.activate
  const call = { type: 'tool-call' as const, toolCallId: id, toolName, input: JSON.stringify(input) }
  const finishReason = { unified: 'tool-calls' as const, raw: undefined }
  return wrapLanguageModel({
    model: resolveModel(model),
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async () => ({ content: [call], finishReason, usage: NO_USAGE, warnings: [] }),
      wrapStream: async () => ({
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          call,
          { type: 'finish' as const, finishReason, usage: NO_USAGE },
        ]),
      }),
    },
  })
}

const NO_TOKENS = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const NO_USAGE: Usage = { inputTokens: NO_TOKENS, outputTokens: { total: 0, text: undefined, reasoning: undefined } }

/** Resolves a model name as AI SDK does. */
function resolveModel(model: LanguageModel): Exclude<LanguageModel, string> {
  return typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model
}

function offered({ tools, toolChoice }: CallOptions, { hides }: WireParts): Pick<CallOptions, 'tools'> {
  // A tool that the host forces is shown, since the model has no other choice; the gate refuses the call.
  const forced = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  const shown = tools?.filter(({ name }) => name === forced || !hides(name)) ?? []
  return { tools: shown.length === 0 ? undefined : shown }
}

/**
 * The providers that send an error as it is and mark it outside of its text. OpenAI's put it into JSON, in which core's
 * text, which is JSON, would be encoded twice; others are not known.
 */
const MARKS_ERRORS: ReadonlySet<string> = new Set(['anthropic.messages', 'google.generative-ai'])

/**
 * AI SDK writes the result of a denied call itself, and sends back any arguments; both are replaced by core's. Errors
 * become plain text, unless the provider is known to send their text unchanged. A call that stands for a person's
 * `/name` becomes the text that its turn has added.
 */
function reworded(prompt: Prompt, { step }: WireParts, { provider }: { readonly provider: string }): Prompt {
  const errorType: 'error-text' | 'text' = MARKS_ERRORS.has(provider) ? 'error-text' : 'text'
  const inputs = new Map<string, unknown>()
  return prompt.flatMap((message) => {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
      const content = message.content
        .filter((part) => !isInvocation(part))
        .map((part) => (part.type === 'tool-call' ? { ...part, input: argumentsAsObject(part.input) } : part))
      return content.length === 0 ? [] : { ...message, content }
    }
    if (message.role !== 'tool') return message
    const said = message.content.flatMap((part) =>
      part.type === 'tool-result' && isInvocation(part) && part.output.type === 'text' ? part.output.value : [],
    )
    const others = message.content.filter((part) => !isInvocation(part))
    const content = others.map((part) => {
      if (part.type !== 'tool-result') return part
      if (part.output.type === 'error-text') return { ...part, output: { ...part.output, type: errorType } }
      // The provider reads the denial of a tool that it runs from its own options.
      if (part.output.type !== 'execution-denied' || part.output.providerOptions !== undefined) return part
      const { toolCallId: id, toolName: tool } = part
      if (!inputs.has(id)) return part
      const value = step.deniedText({ id, tool, input: inputs.get(id) }, part.output.reason)
      if (value === undefined) return part
      return { ...part, output: { type: errorType, value } }
    })
    const turns = said.map((text): Prompt[number] => {
      return { role: 'user', content: [{ type: 'text', text }], providerOptions: OWN }
    })
    return [...(content.length === 0 ? [] : [{ ...message, content }]), ...turns]
  })
}

function isInvocation(part: object): boolean {
  return 'toolCallId' in part && standsFor({ id: String(part.toolCallId), tool: '', input: {} }).turn !== undefined
}

function tokens({ inputTokens, outputTokens }: Usage): TokenUsage {
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total }
}
