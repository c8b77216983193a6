import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages'
import { ChatGoogle } from '@langchain/google'
import { Command, MemorySaver, REMOVE_ALL_MESSAGES } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import type { AdapterDriver, Conversation, TaskEndpoint, TaskSetup, Turn, Variant } from '@repertoire/conformance'
import type { ConsentRequest, FunctionTool } from '@repertoire/core'
import {
  type AgentMiddleware,
  createAgent,
  type HITLRequest,
  type HITLResponse,
  humanInTheLoopMiddleware,
  providerStrategy,
  tool,
  type ToolRuntime,
} from 'langchain'
import { ANTHROPIC_STREAM, COUNTED, GEMINI, KNOWN, OPENAI_CHAT, SAVED } from './conformance/known.ts'
import { fromJson, toJson } from './conformance/saver-json.ts'
import { activeSkills, endSkills, needsApproval, skillsMiddleware } from './index.ts'

interface LangChainVariant extends Variant {
  readonly model: (endpoint: TaskEndpoint) => BaseChatModel
  readonly streamed: boolean
  /** Without a checkpointer, each run is given the whole conversation. Default: with one. */
  readonly checkpointer?: false
}

const openAI: LangChainVariant['model'] = ({ baseURL, apiKey, model }) =>
  new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0 })

const openAIResponses: LangChainVariant['model'] = ({ baseURL, apiKey, model }) =>
  new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0, useResponsesApi: true })

const anthropic: LangChainVariant['model'] = ({ baseURL, apiKey, model }) =>
  new ChatAnthropic({ model, apiKey, anthropicApiUrl: baseURL, maxRetries: 0 })

const google: LangChainVariant['model'] = ({ baseURL, apiKey, model }) =>
  new ChatGoogle({ model, apiKey, endpoint: baseURL, maxRetries: 0 })

const NOT_RESUMED = 'Without a checkpointer, LangGraph cannot continue a run.'

const WITHOUT_CHECKPOINTER = {
  checkpointer: false,
  known: OPENAI_CHAT,
  capabilities: {
    suspend: { absent: NOT_RESUMED },
    resume: { absent: 'Without a checkpointer, LangGraph stores no thread.' },
    approval: { absent: `\`humanInTheLoopMiddleware\` suspends the run. ${NOT_RESUMED}` },
    continuation: { absent: 'Without a checkpointer, the session ends with its run.' },
    compaction: {
      absent: 'Without a checkpointer, the task ends with its run, and so has no earlier messages to remove.',
    },
  },
} as const

const VARIANTS: readonly [LangChainVariant, ...LangChainVariant[]] = [
  { name: 'invoke', model: openAI, streamed: false, known: OPENAI_CHAT },
  { name: 'stream', model: openAI, streamed: true, known: OPENAI_CHAT },
  {
    name: 'invoke, no checkpointer',
    model: openAI,
    streamed: false,
    ...WITHOUT_CHECKPOINTER,
    known: {
      ...OPENAI_CHAT,
      'history-stopped': 'An aborted `invoke` returns none of its messages.',
      'errors-endpoint/history': 'An `invoke` that fails returns none of its messages.',
    },
  },
  { name: 'stream, no checkpointer', model: openAI, streamed: true, ...WITHOUT_CHECKPOINTER },
  { name: 'invoke, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, streamed: false },
  { name: 'stream, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, streamed: true },
  {
    name: 'invoke, Anthropic',
    protocol: 'anthropic',
    model: anthropic,
    streamed: false,
    known: { 'window-reasoning': COUNTED },
  },
  { name: 'stream, Anthropic', protocol: 'anthropic', model: anthropic, streamed: true, known: ANTHROPIC_STREAM },
  { name: 'invoke, Gemini', protocol: 'gemini', model: google, streamed: false, known: GEMINI },
  { name: 'stream, Gemini', protocol: 'gemini', model: google, streamed: true, known: GEMINI },
]

/** How the conformance suite drives an agent of `createAgent`: with `invoke` and as a stream, with three vendors and
 * both protocols of OpenAI, with a checkpointer and without one. */
export const langchainDriver: AdapterDriver = {
  name: 'langchain',
  variants: VARIANTS.map((variant) =>
    variant.checkpointer === false ? variant : { ...variant, known: { ...SAVED, ...variant.known } },
  ) as [LangChainVariant, ...LangChainVariant[]],
  known: KNOWN,
  capabilities: {
    suspend: true,
    resume: true,
    abort: {
      workaround: 'LangChain leaves the calls of an aborted run without results. They are added to what is sent.',
    },
    parallelCalls: true,
    hiding: true,
    continuation: true,
    compaction: true,
    approval: {
      workaround:
        '`humanInTheLoopMiddleware` sorts the calls of a message anew, and takes approved ones out beside a rejected one. What is sent has all of them in the order of the model.',
    },
    output: true,
    handoff: {
      absent: 'An agent of `createAgent` hands over only inside a graph of several agents, which the host writes.',
    },
  },
  start: (task) => Promise.resolve(converse(task)),
}

function converse({
  subagents,
  approval,
  endpoint,
  instructions,
  maxSteps,
  models,
  output,
  repertoire,
  saved,
  session,
  tools,
  variant,
}: TaskSetup): Conversation {
  const {
    model,
    streamed,
    checkpointer: hasSaver = true,
  } = VARIANTS.find(({ name }) => name === variant) ?? VARIANTS[0]
  const checkpointer = Object.assign(new MemorySaver(), saved === undefined ? {} : fromJson(saved))
  const settings = { model: model(endpoint), tools: tools.map(asLangChainTool) }
  // A sub-agent cannot ask anyone: a call that needs a person's approval fails there, too.
  const middleware = approval === undefined ? [] : [askAbout(approval.tools)]
  // Each step of a sub-agent passes many nodes of the graph; no check needs more than ten. The default is twice that.
  const below = { ...settings, middleware, maxSteps: Math.min(maxSteps, 10) }
  const kinds = Object.entries(subagents ?? {}).map(([kind, { instructions: systemPrompt }]) => [
    kind,
    { ...below, systemPrompt },
  ])
  const skills = skillsMiddleware(repertoire, {
    ...session,
    subagents: { default: below, ...Object.fromEntries(kinds) },
    resolveModel(name) {
      const found = models?.get(name)
      return found && model(found)
    },
  })
  const agent = createAgent({
    ...settings,
    systemPrompt: instructions,
    middleware: [skills, ...middleware],
    ...(hasSaver && { checkpointer }),
    ...(output && { responseFormat: providerStrategy(output as never) }),
  })
  const nodes = 2 + middleware.length
  const config = {
    configurable: { thread_id: 'the task' },
    recursionLimit: nodes * maxSteps + 1,
    // A thread is kept after every step or once at the end of a run: either way, what follows goes by it.
    ...(hasSaver && { durability: streamed ? ('exit' as const) : ('async' as const) }),
  }

  let kept: Answered = { messages: [] }

  /** Plays a run, and keeps what it leaves, also where it fails. */
  async function run(input: Parameters<typeof agent.invoke>[0], signal?: AbortSignal): Promise<Turn> {
    if (streamed) {
      // In the mode `messages`, LangGraph makes the model stream, too.
      const streamMode = ['values' as const, 'messages' as const]
      for await (const [mode, part] of await agent.stream(input, { ...config, signal, streamMode }))
        if (mode === 'values') kept = part
    } else kept = await agent.invoke(input, { ...config, signal })
    const open = await openQuestions()
    const approvals = open.flatMap(([id, question]) => ('actionRequests' in question ? [{ id, question }] : []))
    if (approvals.length > 0) return run(new Command({ resume: await decisionsOn(approvals) }), signal)
    const requests = open.flatMap(([, question]) => (isConsent(question) ? [question] : []))
    return requests.length > 0 ? { status: 'asking', requests } : { status: 'done', text: answerOf(kept) }
  }

  /** With the id of the interrupt. */
  async function openQuestions(): Promise<readonly (readonly [id: string, question: ConsentRequest | HITLRequest])[]> {
    if (!hasSaver) return []
    const { tasks } = await agent.graph.getState(config)
    return tasks.flatMap(({ interrupts }) => interrupts.map(({ id = '', value }) => [id, value] as const))
  }

  /** The person's decision on each call that needs approval. */
  async function decisionsOn(waiting: readonly { readonly id: string; readonly question: HITLRequest }[]) {
    const resume: Record<string, HITLResponse> = {}
    for (const { id, question } of waiting) {
      const decisions: HITLResponse['decisions'] = []
      for (const { name, args } of question.actionRequests) {
        const { approved, reason } = (await approval?.ask({ tool: name, input: args })) ?? { approved: false }
        decisions.push(approved ? { type: 'approve' } : { type: 'reject', ...(reason && { message: reason }) })
      }
      resume[id] = { decisions }
    }
    return resume
  }

  return {
    async send(text, { signal, answers = [] } = {}) {
      const answered = (await openQuestions()).flatMap(([id, question]) => {
        const answer = answers.find(({ requestId }) => isConsent(question) && requestId === question.id)
        return answer === undefined ? [] : [[id, answer]]
      })
      if (answered.length > 0) await run(new Command({ resume: Object.fromEntries(answered) }), signal)
      // Without a checkpointer, the conversation so far is passed to the run.
      kept = { messages: [...(hasSaver ? [] : kept.messages), new HumanMessage(text)] }
      return run(kept, signal)
    },
    async answer(answers, { signal } = {}) {
      const open = await openQuestions()
      // An answer that belongs to none of them is passed on as well: judging it is not this file's task.
      const resumed = open.map(([id, question], index) => [
        id,
        answers.find(({ requestId }) => isConsent(question) && requestId === question.id) ?? answers[index] ?? null,
      ])
      return run(new Command({ resume: Object.fromEntries(resumed) }), signal)
    },
    save: () => Promise.resolve(toJson({ storage: checkpointer.storage, writes: checkpointer.writes })),
    async forget() {
      await agent.graph.updateState(config, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] }, 'tools')
    },
    active: () => activeSkills(agent, config),
    // A session that ends with its run may still be ending after an abort: closing the repertoire waits for it.
    end: () => (hasSaver ? endSkills(repertoire, agent, config, session) : repertoire.close()),
  }
}

function isConsent(question: ConsentRequest | HITLRequest): question is ConsentRequest {
  return !('actionRequests' in question)
}

/** LangChain's own approval of calls by a person. */
function askAbout(tools: readonly string[]): AgentMiddleware {
  const ask = { allowedDecisions: ['approve' as const, 'reject' as const], when: needsApproval }
  return humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(tools.map((name) => [name, ask])) })
}

function asLangChainTool(plain: FunctionTool) {
  const { name, description, inputSchema } = plain
  const execute = async (input: unknown, { toolCallId, signal }: ToolRuntime): Promise<unknown> =>
    // LangChain shows undefined as an empty text, and null as JSON.
    (await plain.execute(input, { callId: toolCallId, signal })) ?? null
  return tool(execute, { name, description, schema: { ...inputSchema } })
}

/** What a run leaves. */
interface Answered {
  readonly messages: BaseMessage[]
  /** With a schema for answers, the value. */
  readonly structuredResponse?: unknown
}

/** Returns the text of the last answer or, with a schema, its value. */
function answerOf({ messages, structuredResponse }: Answered): string {
  if (structuredResponse !== undefined) return JSON.stringify(structuredResponse)
  const { text = '', additional_kwargs: { refusal } = {} } = messages.at(-1) ?? {}
  // LangChain keeps what a model of OpenAI says in a refusal beside the text.
  return typeof refusal === 'string' ? refusal : text
}
