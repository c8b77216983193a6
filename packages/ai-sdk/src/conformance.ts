import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { AdapterDriver, TaskSetup, Turn } from '@repertoire/conformance'
import type { FunctionTool, SavedSession } from '@repertoire/core'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  ToolLoopAgent,
  type ToolSet,
} from 'ai'
import { approvalResponses, consentRequests } from './answers.ts'
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
  readonly session: SavedSession
}

/** Judges this adapter: `describeConformance(aiSdkDriver)` in vitest, or `repertoire conformance --adapter ai-sdk`. */
export const aiSdkDriver: AdapterDriver = {
  name: 'AI SDK',
  variants: [
    { name: 'generateText' },
    { name: 'streamText' },
    { name: 'ToolLoopAgent.generate' },
    { name: 'ToolLoopAgent.stream' },
  ],
  capabilities: { suspend: true, resume: true, abort: true, parallelCalls: true, hiding: true },
  start(task) {
    const saved = task.saved as Saved | undefined
    const session = task.repertoire.openSession({
      ...task.session,
      ...(saved !== undefined && { saved: saved.session }),
    })
    let messages: ModelMessage[] = [...(saved?.messages ?? [])]
    const skills = () =>
      withSkills(session, {
        instructions: task.instructions,
        tools: toolsOf(task.tools),
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
      send: (text, { signal } = {}) => goOn({ role: 'user', content: text }, signal),
      answer: async (verdicts) => goOn(approvalResponses(await consentRequests(session, messages), verdicts)),
      save: () => Promise.resolve({ messages, session: session.save() } satisfies Saved),
      active: () => Promise.resolve(session.state.active.map(({ name }) => name)),
      end: () => session.end(),
    })
  },
}

function runOf({ variant, endpoint, maxSteps }: TaskSetup, skills: () => ReturnType<typeof withSkills>): Run {
  const { baseURL, apiKey } = endpoint
  const model = createOpenAICompatible({ name: 'conformance', baseURL, apiKey })(endpoint.model)
  const settings = { model, maxRetries: 0, stopWhen: isStepCount(maxSteps) }
  if (variant === 'generateText') {
    return async (options) => (await generateText({ ...settings, ...options, ...skills() })).text
  }
  if (variant === 'streamText') {
    return (options) => textOf((onError) => streamText({ ...settings, ...options, ...skills(), onError }))
  }
  let onError: OnError | undefined
  const agent = new ToolLoopAgent({ ...settings, ...skills(), onError: (event) => onError?.(event) })
  if (variant === 'ToolLoopAgent.generate') return async (options) => (await agent.generate(options)).text
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
