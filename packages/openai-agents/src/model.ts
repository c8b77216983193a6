import type { Summarizer, TokenUsage } from '@repertoire/core'
import { argumentsAsObject, CARRIER, partsUntilAborted, readArguments, uniqueCallIds } from '@repertoire/core/adapter'
import {
  type AgentOutputItem,
  getDefaultModelSettings,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type SerializedTool,
  Usage,
} from '@openai/agents'
import { type AnyAgent, beginStep, type Binding, chosenModel, type SkillStep } from './binding.ts'
import {
  asWritten,
  carried,
  frameworkCall,
  itemsOf,
  itemText,
  type Message,
  messagesOf,
  ownMessage,
  renamed,
  windowMessage,
  withoutMark,
} from './items.ts'

/** What a step shows, and the names of the tools that are run elsewhere and may not be called now. */
interface Shown {
  readonly step: SkillStep
  readonly unjudged: ReadonlySet<string>
}

/** Wraps the model of an agent: it is shown the skills of each step, and the calls of its answers are made ready. */
export function shownTo(binding: Binding, agent: AnyAgent): Model {
  let used: Model | undefined

  async function prepare(given: ModelRequest) {
    const { runner, gated } = binding
    const hostTools = given.tools.filter(({ type, name }) => type !== 'function' || gated.has(name))
    const step = await beginStep(binding, agent, hostTools)
    const chosen = (binding.model = step.model ?? chosenModel(binding, agent))
    used = typeof chosen === 'string' ? await runner.config.modelProvider.getModel(chosen) : chosen
    // The provider runs hosted tools without showing their calls first, and the SDK runs shells, editors and computers.
    const elsewhere = hostTools.filter(({ type }) => type !== 'function')
    const unjudged = await step.unjudged(elsewhere.map(({ name }) => name))
    const asked = withImplicit(agent, chosen, used, given)
    const request = await preparedRequest(binding, { step, unjudged }, used, hostTools, asked)
    return { shown: { step, unjudged }, model: used, request }
  }

  async function read<Response extends Pick<ModelResponse, 'output'> & { readonly usage: TokenUsage }>(
    shown: Shown,
    given: ModelRequest,
    response: Response,
  ): Promise<Response> {
    const { inputTokens, outputTokens } = response.usage
    binding.unsent = undefined
    shown.step.recordUsage({ inputTokens, outputTokens })
    return { ...response, output: await readAnswer(binding, shown, given, response.output) }
  }

  return {
    async getResponse(given) {
      const asked = takeAsked(binding)
      if (asked !== undefined) return { usage: new Usage(), output: [asked] }
      const { shown, model, request } = await prepare(given)
      return read(shown, given, await model.getResponse(request))
    },
    async *getStreamedResponse(given) {
      const asked = takeAsked(binding)
      if (asked !== undefined) {
        const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
        // Without an id: the server knows of no response.
        yield { type: 'response_done', response: { id: '', usage, output: [asked] } }
        return
      }
      const { shown, model, request } = await prepare(given)
      for await (const event of partsUntilAborted(model.getStreamedResponse(request), given.signal)) {
        if (event.type !== 'response_done') {
          yield event
          continue
        }
        yield { ...event, response: await read(shown, given, event.response) }
      }
    },
    getRetryAdvice: (args) => used?.getRetryAdvice?.(args),
  }
}

function takeAsked(binding: Binding) {
  const { asking } = binding
  binding.asking = undefined
  if (asking === undefined) return undefined
  const { id: callId, input } = asking
  const type = 'function_call' as const
  return { type, status: 'completed' as const, name: CARRIER, callId, arguments: JSON.stringify(input) }
}

/** The SDK takes this wrapper for a model that the host chose, and so leaves out what it knows of one by its name. */
function withImplicit(agent: AnyAgent, chosen: string | Model, model: Model, given: ModelRequest): ModelRequest {
  const { modelSettings: own, prompt } = given
  const hasOwn = (agent as { hasExplicitModelSettings?(): boolean }).hasExplicitModelSettings?.() === true
  const isOfPrompt = chosen === '' && prompt !== undefined && model.supportsPromptModelSelection === true
  const isKnown = typeof chosen === 'string' && !hasOwn && !isOfPrompt
  const { reasoning, text, ...others } = isKnown ? getDefaultModelSettings(chosen || undefined) : {}
  const modelSettings = {
    ...others,
    ...own,
    ...((reasoning ?? own.reasoning) && { reasoning: { ...reasoning, ...own.reasoning } }),
    ...((text ?? own.text) && { text: { ...text, ...own.text } }),
  }
  return { ...given, modelSettings, ...(chosen === '' && { overridePromptModel: false }) }
}

async function preparedRequest(
  { unsent = [] }: Binding,
  { step, unjudged }: Shown,
  model: Model,
  hostTools: readonly SerializedTool[],
  given: ModelRequest,
): Promise<ModelRequest> {
  const { modelSettings, signal, tracing, systemInstructions: instructions, ...others } = given
  // A tool that the host forces is shown, since the model has no other choice; the gate refuses the call.
  const isOffered = ({ name: tool }: SerializedTool): boolean =>
    tool === modelSettings.toolChoice || !(step.isHidden(tool) || unjudged.has(tool))
  const skills = step.tools.map(({ name: tool, description, inputSchema: parameters }) => {
    return { type: 'function', name: tool, description, parameters, strict: false } as SerializedTool
  })
  const tools = [...hostTools.filter(isOffered), ...skills]
  const chained = given.previousResponseId !== undefined || given.conversationId !== undefined
  const { system: said, messages } = await step.prompt<Message>({
    system: step.system(instructions),
    messages: messagesOf([...(chained ? unsent : []), ...asWritten(itemsOf(given.input), !chained)]),
    describe: windowMessage,
    tools: [...tools, ...given.handoffs].map((tool) => JSON.stringify(tool)),
    asMessage: (text) => [ownMessage(text)],
    summarize: summarizer(model, { modelSettings, tracing }),
    chained,
    signal,
  })
  const input = messages.flat().map(withoutMark)
  return {
    ...others,
    modelSettings,
    tracing,
    tools,
    input,
    ...(signal && { signal }),
    ...(said !== undefined && { systemInstructions: said }),
  }
}

/** Asks the run's model for a summary, without tools. */
function summarizer(
  model: Model,
  { modelSettings, tracing }: Pick<ModelRequest, 'modelSettings' | 'tracing'>,
): Summarizer {
  const { retry: _, toolChoice: __, parallelToolCalls: ___, ...settings } = modelSettings
  return async ({ instructions: systemInstructions, prompt: input }, { signal }) => {
    const { output, usage } = await model.getResponse({
      systemInstructions,
      input,
      modelSettings: settings,
      tools: [],
      handoffs: [],
      outputType: 'text',
      tracing,
      ...(signal && { signal }),
    })
    const text = output.map(itemText).filter(Boolean).join('\n')
    if (JSON.stringify(output).includes('"type":"refusal"')) {
      throw new Error(`The model did not write a summary: ${text}`)
    }
    const { inputTokens, outputTokens } = usage
    return { text, usage: { inputTokens, outputTokens } }
  }
}

/** Makes the calls of an answer ready for the SDK: by real names, those that it cannot carry out carried. */
async function readAnswer(
  binding: Binding,
  { step, unjudged }: Shown,
  given: ModelRequest,
  output: readonly AgentOutputItem[],
): Promise<AgentOutputItem[]> {
  const { readied, gated, skillTools } = binding
  const handoffs = new Set(given.handoffs.map(({ toolName }) => toolName))
  const tools = given.tools.map(({ name }) => name).filter((name) => gated.has(name) || skillTools.has(name))
  const usable = new Set([...tools, ...handoffs])
  // The SDK and the session find calls by their ids, which models repeat.
  const uniqueId = uniqueCallIds(
    itemsOf(given.input).flatMap((item) => (item.type === 'function_call' ? [item.callId] : [])),
  )
  const read = output.map((item): AgentOutputItem => {
    const [type] = /^(?:shell|apply_patch|computer)(?=_call$)/.exec(item.type ?? '') ?? []
    if (type !== undefined && given.tools.some((tool) => tool.type === type && unjudged.has(tool.name))) {
      const { callId } = item as { readonly callId: string }
      return carried({ type: 'function_call', callId, name: type, arguments: '{}' })
    }
    if (item.type !== 'function_call') return item
    const { namespace, ...written } = item
    if (namespace !== undefined) return gated.has(item.name) ? item : carried(written)
    const call = { ...written, callId: uniqueId(item.callId) }
    const name = step.toolName(call.name) ?? call.name
    const input = readArguments(call.arguments)
    if (argumentsAsObject(input) !== input || !usable.has(name)) return carried(call)
    return { ...renamed(call, name), ...(call.arguments.trim() === '' && { arguments: '{}' }) }
  })
  // Everything that the calls of one message ask, before any of them is carried out. A handoff is none of a tool.
  for (const item of read) {
    if (item.type !== 'function_call' || handoffs.has(item.name)) continue
    readied.set(item.callId, await step.preview(frameworkCall(item), { asks: true }))
  }
  return read
}
