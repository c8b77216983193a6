import type { Summarizer, ToolCall } from '@repertoire/core'
import {
  argumentsAsObject,
  CARRIER,
  partsUntilAborted,
  readArguments,
  systemPrompt,
  uniqueCallIds,
} from '@repertoire/core/adapter'
import type { Binding, Model, SkillStep } from './binding.ts'
import { asWritten, callIds, MARK, type Message, ownMessage, windowMessage } from './prompt.ts'
import { isOurs } from './tools.ts'

/** What a model is called with, in any version of AI SDK's model interface. */
interface Call {
  readonly prompt: readonly Message[]
  readonly tools?: readonly { readonly type: string; readonly name: string }[] | undefined
  readonly toolChoice?: { readonly type: string; readonly toolName?: string } | undefined
  readonly abortSignal?: AbortSignal | undefined
  readonly responseFormat?: unknown
}

/** A part of a stream, in any version of AI SDK's model interface. */
interface StreamPart {
  readonly type: string
  readonly id?: string
  readonly delta?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: string
  readonly usage?: Usage
  readonly finishReason?: string | { readonly unified: string }
  readonly providerExecuted?: boolean
  readonly providerMetadata?: Readonly<Record<string, object>>
}

type Count = number | undefined | { readonly total?: number | undefined }
interface Usage {
  readonly inputTokens?: Count
  readonly outputTokens?: Count
}

type AnyCall = (call: Call) => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>

/** What a step shows, and the names of the tools that are run elsewhere and may not be called now. */
interface Shown {
  readonly step: SkillStep
  readonly unjudged: ReadonlySet<string>
}

/** Wraps the model of a step: it is shown the skills, and the calls of its answer are made ready for Mastra. */
export function shownTo(binding: Binding, model: Model, shown: Shown): Model {
  const wrapped =
    (method: 'doGenerate' | 'doStream'): AnyCall =>
    async (given) => {
      const { asking } = binding
      binding.asking = undefined
      if (asking !== undefined) return { stream: ReadableStream.from(askedParts(asking, model.specificationVersion)) }
      const prepared = await preparedCall(binding, model, given, shown)
      const result = await (model[method] as AnyCall).call(model, prepared)
      const read = reader(binding, given, shown)
      return { ...result, stream: ReadableStream.from(answer(result.stream, read, given.abortSignal)) }
    }
  const own = { doGenerate: wrapped('doGenerate'), doStream: wrapped('doStream') }
  // Mastra knows its models by their classes, which keep private state: it would wrap another object once more.
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate' || name === 'doStream') return own[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

async function* answer(
  stream: ReadableStream<StreamPart>,
  read: (part: StreamPart) => Promise<readonly StreamPart[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPart> {
  for await (const part of partsUntilAborted(stream, signal)) yield* await read(part)
}

function askedParts({ id, input }: NonNullable<Binding['asking']>, version: string): readonly StreamPart[] {
  const isFirst = version === 'v2'
  const none = isFirst ? 0 : { total: 0 }
  const finishReason = isFirst ? 'tool-calls' : { unified: 'tool-calls', raw: undefined }
  return [
    { type: 'stream-start', warnings: [] } as StreamPart,
    { type: 'tool-call', toolCallId: id, toolName: CARRIER, input: JSON.stringify(input) },
    { type: 'finish', finishReason, usage: { inputTokens: none, outputTokens: none, totalTokens: 0 } } as StreamPart,
  ]
}

async function preparedCall(binding: Binding, model: Model, given: Call, { step, unjudged }: Shown): Promise<Call> {
  // A tool that the host forces is shown, since the model has no other choice; the gate refuses the call.
  const forced = given.toolChoice?.type === 'tool' ? given.toolChoice.toolName : undefined
  const offered = (given.tools ?? []).filter(({ name }) => {
    if (isOurs(binding, name)) return false
    return name === forced || !(step.isHidden(name) || unjudged.has(name))
  })
  const skills = step.tools.map(({ name, description, inputSchema }) => {
    return { type: 'function', name, description, inputSchema }
  })
  const tools = [...offered, ...skills]
  const written = asWritten(given.prompt)
  const own = systemPrompt(written.filter((message) => message.role === 'system'))
  const sent = await step.prompt<Message>({
    system: step.system(own.text),
    messages: written.filter(({ role }) => role !== 'system'),
    describe: windowMessage,
    tools: tools.map((tool) => JSON.stringify(tool)),
    asMessage: ownMessage,
    summarize: summarizer(model, given),
    signal: given.abortSignal,
  })
  const { tools: _, toolChoice, ...others } = given
  const isForced = tools.length > 0 && toolChoice !== undefined
  return {
    ...others,
    prompt: [...own.messages(sent.system), ...sent.messages],
    ...(tools.length > 0 && { tools }),
    ...(isForced && { toolChoice }),
  }
}

/** Asks the run's model for a summary, without tools. */
function summarizer(model: Model, given: Call): Summarizer {
  const { tools: _, toolChoice: __, responseFormat: ___, ...settings } = given
  return async ({ instructions, prompt: text }, { signal: abortSignal }) => {
    const prompt: Message[] = [
      { role: 'system', content: instructions },
      { role: 'user', content: [{ type: 'text', text }] },
    ]
    const { stream } = await (model.doGenerate as AnyCall).call(model, { ...settings, prompt, abortSignal })
    let summary = ''
    let usage: Usage | undefined
    for await (const part of stream) {
      if (part.type === 'error') throw (part as { readonly error?: unknown }).error
      if (part.type === 'text-delta') summary += part.delta ?? ''
      if (part.type === 'finish') ({ usage } = part)
      if (isRefused(part)) throw new Error(`The model did not write a summary: ${summary}`)
    }
    return { text: summary, usage: tokens(usage) }
  }
}

/** Whether an answer ends as a refusal: newer versions of the interface name the end of each vendor, too. */
function isRefused({ finishReason }: StreamPart): boolean {
  return (typeof finishReason === 'object' ? finishReason.unified : finishReason) === 'content-filter'
}

/** Makes the parts of an answer ready for Mastra: calls by real names, those that it cannot carry out carried. */
function reader(
  binding: Binding,
  given: Call,
  { step, unjudged }: Shown,
): (part: StreamPart) => Promise<readonly StreamPart[]> {
  const known = new Set(given.tools?.map(({ name }) => name))
  const unique = uniqueCallIds([...callIds(given.prompt), ...binding.callIds])
  const uniqueId = (written: string | undefined): string => {
    const id = unique(written)
    binding.callIds.add(id)
    return id
  }
  const calls: ToolCall[] = []
  /** The calls whose input comes in pieces, by the ids that the model wrote. */
  const begun = new Map<string | undefined, string | undefined>()
  const mayCall = (name: string): boolean => name !== CARRIER && known.has(name) && !unjudged.has(name)
  return async (part) => {
    if (part.type === 'finish') {
      step.recordUsage(tokens(part.usage))
      // Everything that the calls of one message ask, before any of them is carried out.
      for (const call of calls) binding.readied.set(call.id, await step.preview(call, { asks: true }))
    }
    const { toolCallId = '', toolName = '', input = '' } = part
    const name = step.toolName(toolName) ?? toolName
    if (part.type.startsWith('tool-input-') && part.providerExecuted !== true) {
      const isStart = part.type === 'tool-input-start'
      if (isStart && begun.has(part.id)) return []
      if (isStart) begun.set(part.id, mayCall(name) && !step.isHidden(name) ? uniqueId(part.id) : undefined)
      if (!begun.has(part.id)) return [part]
      const id = begun.get(part.id)
      // Mastra makes a call at the end, before it is known what it asks for.
      if (id === undefined || part.type === 'tool-input-end') return []
      return [{ ...part, id, ...(isStart && { toolName: name }) }]
    }
    if (part.providerExecuted === true || part.type !== 'tool-call') return [part]
    const call = { ...part, toolCallId: begun.get(toolCallId) ?? uniqueId(toolCallId) }
    begun.set(toolCallId, undefined)
    const text = input.trim() === '' ? '{}' : input
    const read = readArguments(text)
    calls.push({ id: call.toolCallId, tool: name, input: read })
    const isReadable = argumentsAsObject(read) === read
    if (!isReadable || !mayCall(name)) {
      const carried = { name: toolName, arguments: input }
      return [{ ...call, toolName: CARRIER, input: JSON.stringify(carried) }]
    }
    const written = { ...call.providerMetadata, [MARK]: { name: toolName } }
    return [{ ...call, toolName: name, input: text, ...(name !== toolName && { providerMetadata: written }) }]
  }
}

function totalOf(count: Count): number | undefined {
  return typeof count === 'object' ? count.total : count
}

function tokens({ inputTokens, outputTokens }: Usage = {}): { inputTokens?: number; outputTokens?: number } {
  return { inputTokens: totalOf(inputTokens), outputTokens: totalOf(outputTokens) }
}
