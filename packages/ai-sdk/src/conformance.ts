import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { AdapterDriver, TaskEndpoint, TaskSetup, Turn, Variant } from '@repertoire/conformance'
import type { ConsentAnswer, SavedSession } from '@repertoire/core'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  type ToolApprovalResponse,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { approvalResponses, consentRequests, partsOf } from './answers.ts'
import { invocationRequest } from './turn.ts'
import { withSkills } from './with-skills.ts'

/** Runs the agent loop once, with one of AI SDK's functions. Resolves with the text of the last step. */
type Run = (options: RunOptions) => Promise<string>

interface RunOptions {
  readonly messages: ModelMessage[]
  readonly abortSignal: AbortSignal | undefined
  onStepEnd(step: { readonly response: { readonly messages: readonly ModelMessage[] } }): void
}

/** What a fresh process needs: the conversation, and the session. */
interface Saved {
  readonly messages: readonly ModelMessage[]
  /** A person's message that invokes a skill without consent. */
  readonly waiting?: ModelMessage
  readonly session: SavedSession
}

/** The host's settings combined with the skills, for one run, whose signal also stops what a message starts. */
type Skills = (abortSignal: AbortSignal | undefined) => ReturnType<typeof withSkills>

/** One of AI SDK's functions that run an agent loop. */
type Way = (settings: RunSettings, skills: Skills) => Run

interface RunSettings {
  readonly model: LanguageModel
  readonly maxRetries: number
  readonly maxOutputTokens: number
  readonly stopWhen: ReturnType<typeof isStepCount>
}

interface AiSdkVariant extends Variant {
  readonly model: (endpoint: TaskEndpoint) => LanguageModel
  readonly way: Way
}

const compatible: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createOpenAICompatible({ name: 'conformance', baseURL, apiKey, includeUsage: true })(model)

const openAIChat: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey }).chat(model)

const openAIResponses: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) => createOpenAI({ baseURL, apiKey })(model)

// AI SDK's own base URLs include the version.
const anthropic: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model)

const google: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createGoogle({ baseURL: `${baseURL}/v1beta`, apiKey })(model)

/** AI SDK parses what a provider sends with a parser that throws for it. Anthropic streams it as text in JSON. */
const PROTOTYPES =
  'The AI SDK rejects a whole answer with a call whose arguments have a key such as `__proto__`: nothing runs, but the run fails, and the model is not told.'
const NULLS =
  "Gemini's protocol cannot express arguments that are null: such a call has no arguments, and runs with {}."

const NO_REASONING =
  "OpenAI's own chat completions show no reasoning: `@ai-sdk/openai` does not read `reasoning_content`, and sends none back. Use Responses, or `@ai-sdk/openai-compatible` for a server that sends it."

const OPENAI_CHAT = {
  'history-reasoning': NO_REASONING,
  'history-reasoning-answers': NO_REASONING,
  'history-reasoning-resumed': NO_REASONING,
  'history-reasoning-forks': NO_REASONING,
}
const ANTHROPIC = { 'errors-prototype-keys': PROTOTYPES }
const GEMINI = { 'errors-prototype-keys': PROTOTYPES, 'errors-null-arguments': NULLS }

const VARIANTS: readonly [AiSdkVariant, ...AiSdkVariant[]] = [
  { name: 'generateText', model: compatible, way: generate },
  { name: 'streamText', model: compatible, way: stream },
  { name: 'ToolLoopAgent.generate', model: compatible, way: agentGenerate },
  { name: 'ToolLoopAgent.stream', model: compatible, way: agentStream },
  { name: 'generateText, OpenAI chat', model: openAIChat, way: generate, known: OPENAI_CHAT },
  { name: 'streamText, OpenAI chat', model: openAIChat, way: stream, known: OPENAI_CHAT },
  { name: 'generateText, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, way: generate },
  { name: 'streamText, OpenAI Responses', protocol: 'openai-responses', model: openAIResponses, way: stream },
  { name: 'generateText, Anthropic', protocol: 'anthropic', model: anthropic, way: generate, known: ANTHROPIC },
  { name: 'streamText, Anthropic', protocol: 'anthropic', model: anthropic, way: stream },
  { name: 'generateText, Gemini', protocol: 'gemini', model: google, way: generate, known: GEMINI },
  { name: 'streamText, Gemini', protocol: 'gemini', model: google, way: stream, known: GEMINI },
]

/** Anthropic's package warns about a limit that it assumes for an unknown model. */
const MAX_TOKENS = 4096

/** Judges this adapter: `describeConformance(aiSdkDriver)` in vitest, or `repertoire conformance --adapter ai-sdk`. */
export const aiSdkDriver: AdapterDriver = {
  name: 'AI SDK',
  variants: VARIANTS,
  capabilities: {
    suspend: {
      workaround:
        'The AI SDK asks for approval of tool calls alone. What a person invokes is asked for before a run, by `invocationRequest`.',
    },
    resume: true,
    abort: true,
    parallelCalls: true,
    hiding: {
      workaround:
        'The AI SDK would answer a call of a tool outside of `activeTools` itself. Hidden tools are taken out of the request by a wrapped model.',
    },
    continuation: true,
    compaction: true,
    approval: true,
  },
  start(task) {
    const saved = task.saved as Saved | undefined
    const session = task.repertoire.openSession({
      ...task.session,
      ...(saved !== undefined && { saved: saved.session }),
    })
    let messages: ModelMessage[] = [...(saved?.messages ?? [])]
    let waiting = saved?.waiting
    const settings = { maxOutputTokens: MAX_TOKENS }
    const skills: Skills = (abortSignal) =>
      withSkills(session, {
        abortSignal,
        instructions: task.instructions,
        tools: toolsOf(task),
        agents:
          task.agents &&
          Object.fromEntries(Object.entries(task.agents).map(([kind, agent]) => [kind, { ...agent, settings }])),
        resolveModel(name) {
          const found = task.models?.get(name)
          return found && modelOf(task, found)
        },
        // A fresh process runs the approved calls before it calls a model.
        agent: { settings, ...(saved !== undefined && { model: modelOf(task, task.endpoint) }) },
        // The messages at the beginning and the end of each step, and not `responseMessages`: a failed run has none,
        // but skills activated in it stay active.
        prepareStep: (step) => {
          messages = step.messages
          return undefined
        },
      })
    const run = runOf(task, skills)

    async function goOn(message: ModelMessage, abortSignal?: AbortSignal): Promise<Turn> {
      const text = await run({
        messages: [...messages, message],
        abortSignal,
        onStepEnd({ response }) {
          messages = [...messages, ...response.messages]
        },
      })
      const pending = await consentRequests(session, messages)
      if (pending.length > 0) return { status: 'asking', requests: pending.map(({ request }) => request) }
      const approved = await approvals(task, messages)
      if (approved.length > 0) return goOn({ role: 'tool', content: approved }, abortSignal)
      return { status: 'done', text }
    }

    /** Answers everything that the last run waits for in one message: AI SDK reads answers from the last message only. */
    async function answersTo(answers: readonly ConsentAnswer[]): Promise<ModelMessage> {
      const { content } = approvalResponses(await consentRequests(session, messages), answers)
      return { role: 'tool', content: [...content, ...(await approvals(task, messages))] }
    }

    return Promise.resolve({
      async send(text, { signal } = {}) {
        const message: ModelMessage = { role: 'user', content: text }
        const request = await invocationRequest(session, [...messages, message])
        if (request === undefined) return goOn(message, signal)
        waiting = message
        return { status: 'asking', requests: [request] }
      },
      async answer(answers, { signal } = {}) {
        const message = waiting
        waiting = undefined
        if (message === undefined) return goOn(await answersTo(answers), signal)
        for (const each of answers) session.answer(each)
        return goOn(message, signal)
      },
      save: () =>
        Promise.resolve({
          messages,
          ...(waiting !== undefined && { waiting }),
          session: session.save(),
        } satisfies Saved),
      forget: async () => void (messages = []),
      active: () => Promise.resolve(session.state.active.map(({ name }) => name)),
      end: () => session.end(),
    })
  },
}

function variantOf({ variant }: TaskSetup): AiSdkVariant {
  return VARIANTS.find(({ name }) => name === variant) ?? VARIANTS[0]
}

function modelOf(task: TaskSetup, endpoint: TaskEndpoint): LanguageModel {
  return variantOf(task).model(endpoint)
}

function runOf(task: TaskSetup, skills: Skills): Run {
  const { way } = variantOf(task)
  return way(
    {
      model: modelOf(task, task.endpoint),
      maxRetries: 0,
      maxOutputTokens: MAX_TOKENS,
      stopWhen: isStepCount(task.maxSteps),
    },
    skills,
  )
}

function generate(settings: RunSettings, skills: Skills): Run {
  return async ({ abortSignal, ...options }) =>
    (await generateText({ ...settings, ...options, ...skills(abortSignal) })).text
}

function stream(settings: RunSettings, skills: Skills): Run {
  return ({ abortSignal, ...options }) =>
    textOf((onError) => streamText({ ...settings, ...options, ...skills(abortSignal), onError }))
}

// An agent for each run, since `withSkills` takes the run's signal.
function agentGenerate(settings: RunSettings, skills: Skills): Run {
  return async ({ abortSignal, ...options }) => {
    const agent = new ToolLoopAgent({ ...settings, ...skills(abortSignal) })
    return (await agent.generate({ ...options, ...(abortSignal && { abortSignal }) })).text
  }
}

function agentStream(settings: RunSettings, skills: Skills): Run {
  return ({ abortSignal, ...options }) =>
    textOf((onError) => {
      const agent = new ToolLoopAgent({ ...settings, ...skills(abortSignal), onError })
      return agent.stream({ ...options, ...(abortSignal && { abortSignal }) })
    })
}

type OnError = (event: { readonly error: unknown }) => void

interface Streamed {
  readonly text: PromiseLike<string>
  consumeStream(): PromiseLike<void>
}

/** Reads a stream to its end. AI SDK reports its errors in parts of the stream, and returns what came before them. */
async function textOf(begin: (onError: OnError) => Streamed | Promise<Streamed>): Promise<string> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  return result.text
}

function toolsOf({ tools, approval }: TaskSetup): ToolSet {
  return Object.fromEntries(
    tools.map((given) => [
      given.name,
      tool({
        description: given.description,
        inputSchema: jsonSchema(given.inputSchema),
        needsApproval: approval?.tools.includes(given.name) === true,
        execute: (input, { toolCallId: callId, abortSignal: signal }) =>
          given.execute(input, { callId, ...(signal !== undefined && { signal }) }),
      }),
    ]),
  )
}

/** Asks the person about calls of the host's tools that need approval. */
async function approvals({ approval }: TaskSetup, messages: readonly ModelMessage[]): Promise<ToolApprovalResponse[]> {
  if (approval === undefined) return []
  const parts = messages.flatMap(partsOf)
  const answered = new Set(parts.map((part) => (part.type === 'tool-approval-response' ? part.approvalId : undefined)))
  const answers: ToolApprovalResponse[] = []
  for (const part of parts) {
    if (part.type !== 'tool-approval-request' || part.isAutomatic === true || answered.has(part.approvalId)) continue
    const call = parts.find((each) => each.type === 'tool-call' && each.toolCallId === part.toolCallId)
    if (call?.type !== 'tool-call' || !approval.tools.includes(call.toolName)) continue
    const answer = await approval.ask({ tool: call.toolName, input: call.input })
    answers.push({ type: 'tool-approval-response', approvalId: part.approvalId, ...answer })
  }
  return answers
}
