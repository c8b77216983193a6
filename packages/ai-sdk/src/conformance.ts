import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { AdapterDriver, TaskSetup, Turn, Variant } from '@repertoire/conformance'
import type { FunctionTool, SavedSession } from '@repertoire/core'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { approvalResponses, consentRequests } from './answers.ts'
import { invocationRequest } from './turn.ts'
import { withSkills } from './with-skills.ts'

/** One run of the model's loop, in one of AI SDK's ways. Resolves with the text of the last step. */
type Run = (options: RunOptions) => Promise<string>

interface RunOptions {
  readonly messages: ModelMessage[]
  readonly abortSignal?: AbortSignal
  onStepEnd(step: { readonly response: { readonly messages: readonly ModelMessage[] } }): void
}

/** What a fresh process needs: the conversation, and the session. */
interface Saved {
  readonly messages: readonly ModelMessage[]
  /** A person's message that invokes a skill which nobody has agreed to yet. */
  readonly waiting?: ModelMessage
  readonly session: SavedSession
}

/** One of AI SDK's ways to run a model's loop. */
type Way = (settings: RunSettings, skills: () => ReturnType<typeof withSkills>) => Run

interface RunSettings {
  readonly model: LanguageModel
  readonly maxRetries: number
  readonly maxOutputTokens: number
  readonly stopWhen: ReturnType<typeof isStepCount>
}

interface AiSdkVariant extends Variant {
  readonly model: (endpoint: TaskSetup['endpoint']) => LanguageModel
  readonly way: Way
}

const compatible: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createOpenAICompatible({ name: 'conformance', baseURL, apiKey, includeUsage: true })(model)

// AI SDK's own base URLs have the version in them.
const anthropic: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model)

const google: AiSdkVariant['model'] = ({ baseURL, apiKey, model }) =>
  createGoogle({ baseURL: `${baseURL}/v1beta`, apiKey })(model)

/** The AI SDK parses what a provider sends with a parser that throws at it. Streamed by Anthropic it is text in text. */
const PROTOTYPES =
  'The AI SDK takes no answer that has "__proto__" in a call: nothing runs, but the run fails, and the model is not told.'
const NULLS = "Gemini's protocol has no arguments that are null: a call with such has none, and is made with {}."

const ANTHROPIC = { 'errors-hostile-inputs': PROTOTYPES }
const GEMINI = { 'errors-hostile-inputs': `${PROTOTYPES} ${NULLS}` }

const VARIANTS: readonly [AiSdkVariant, ...AiSdkVariant[]] = [
  { name: 'generateText', model: compatible, way: generate },
  { name: 'streamText', model: compatible, way: stream },
  { name: 'ToolLoopAgent.generate', model: compatible, way: agentGenerate },
  { name: 'ToolLoopAgent.stream', model: compatible, way: agentStream },
  { name: 'generateText, Anthropic', protocol: 'anthropic', model: anthropic, way: generate, known: ANTHROPIC },
  { name: 'streamText, Anthropic', protocol: 'anthropic', model: anthropic, way: stream },
  { name: 'generateText, Gemini', protocol: 'gemini', model: google, way: generate, known: GEMINI },
  { name: 'streamText, Gemini', protocol: 'gemini', model: google, way: stream, known: GEMINI },
]

/** Judges this adapter: `describeConformance(aiSdkDriver)` in vitest, or `repertoire conformance --adapter ai-sdk`. */
export const aiSdkDriver: AdapterDriver = {
  name: 'AI SDK',
  variants: VARIANTS,
  capabilities: { suspend: true, resume: true, abort: true, parallelCalls: true, hiding: true, compaction: true },
  start(task) {
    const saved = task.saved as Saved | undefined
    const session = task.repertoire.openSession({
      ...task.session,
      ...(saved !== undefined && { saved: saved.session }),
    })
    let messages: ModelMessage[] = [...(saved?.messages ?? [])]
    let waiting = saved?.waiting
    const skills = () =>
      withSkills(session, {
        instructions: task.instructions,
        tools: toolsOf(task.tools),
        // A fresh process carries out what was agreed to before it calls a model.
        ...(saved !== undefined && { agent: { model: modelOf(task) } }),
        // What each step begins with and ends with, and not `responseMessages`: a run that fails gives none, and what
        // was activated in it stays active.
        prepareStep: (step) => {
          messages = step.messages
          return undefined
        },
      })
    const run = runOf(task, skills)

    async function goOn(message: ModelMessage, signal?: AbortSignal): Promise<Turn> {
      const text = await run({
        messages: [...messages, message],
        ...(signal !== undefined && { abortSignal: signal }),
        onStepEnd({ response }) {
          messages = [...messages, ...response.messages]
        },
      })
      const pending = await consentRequests(session, messages)
      if (pending.length > 0) return { status: 'asking', requests: pending.map(({ request }) => request) }
      return { status: 'done', text }
    }

    return Promise.resolve({
      async send(text, { signal } = {}) {
        const message: ModelMessage = { role: 'user', content: text }
        const request = await invocationRequest(session, [...messages, message])
        if (request === undefined) return goOn(message, signal)
        waiting = message
        return { status: 'asking', requests: [request] }
      },
      async answer(verdicts) {
        const message = waiting
        waiting = undefined
        if (message === undefined) return goOn(approvalResponses(await consentRequests(session, messages), verdicts))
        for (const verdict of verdicts) session.answer(verdict)
        return goOn(message)
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

function modelOf(task: TaskSetup): LanguageModel {
  return variantOf(task).model(task.endpoint)
}

function runOf(task: TaskSetup, skills: () => ReturnType<typeof withSkills>): Run {
  const { way } = variantOf(task)
  // Anthropic's package warns of a limit that it makes up itself for a model that it does not know.
  return way(
    { model: modelOf(task), maxRetries: 0, maxOutputTokens: 4096, stopWhen: isStepCount(task.maxSteps) },
    skills,
  )
}

function generate(settings: RunSettings, skills: () => ReturnType<typeof withSkills>): Run {
  return async (options) => (await generateText({ ...settings, ...options, ...skills() })).text
}

function stream(settings: RunSettings, skills: () => ReturnType<typeof withSkills>): Run {
  return (options) => textOf((onError) => streamText({ ...settings, ...options, ...skills(), onError }))
}

function agentGenerate(settings: RunSettings, skills: () => ReturnType<typeof withSkills>): Run {
  const agent = new ToolLoopAgent({ ...settings, ...skills() })
  return async (options) => (await agent.generate(options)).text
}

function agentStream(settings: RunSettings, skills: () => ReturnType<typeof withSkills>): Run {
  let onError: OnError | undefined
  const agent = new ToolLoopAgent({ ...settings, ...skills(), onError: (event) => onError?.(event) })
  return (options) =>
    textOf((tell) => {
      onError = tell
      return agent.stream(options)
    })
}

type OnError = (event: { readonly error: unknown }) => void

interface Streamed {
  readonly text: PromiseLike<string>
  consumeStream(): PromiseLike<void>
}

/** Reads a stream to its end. AI SDK tells the errors of a stream beside it, and what came before them as its result. */
async function textOf(begin: (onError: OnError) => Streamed | Promise<Streamed>): Promise<string> {
  const errors: unknown[] = []
  const result = await begin(({ error }) => void errors.push(error))
  await result.consumeStream()
  if (errors.length > 0) throw errors[0]
  return result.text
}

function toolsOf(tools: readonly FunctionTool[]): ToolSet {
  return Object.fromEntries(
    tools.map((given) => [
      given.name,
      tool({
        description: given.description,
        inputSchema: jsonSchema(given.inputSchema),
        execute: (input, { toolCallId: callId, abortSignal: signal }) =>
          given.execute(input, { callId, ...(signal !== undefined && { signal }) }),
      }),
    ]),
  )
}
