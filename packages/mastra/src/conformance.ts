import {
  type AdapterDriver,
  type Conversation,
  storedTask,
  type StoredTask,
  type StoredTaskPlace,
  type TaskSetup,
  type Turn,
} from '@repertoire/conformance'
import type { ConsentAnswer } from '@repertoire/core'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import type { AnyModel } from './binding.ts'
import type { SkillsAgent } from './options.ts'
import { skillsAgent } from './skills-agent.ts'

/** What a fresh process needs. */
interface Saved {
  readonly messages: unknown[]
  /** The run that waits, and what Mastra has stored of it. */
  readonly run?:
    | { readonly id: string; readonly stored: readonly { readonly workflowName: string; readonly snapshot: unknown }[] }
    | undefined
  readonly session: StoredTaskPlace
}

const TEXTS = 'The text of a run of Mastra is that of all its steps, also what a sub-agent said beside its calls.'
const BESIDE = 'Mastra carries out the calls that ask nothing while another call of the message waits.'
const UNKNOWN =
  'An invocation that a person wrote on instead of answering is a call without a result for Mastra, and no message says that it was denied.'
const HIDDEN = 'Reasoning is not counted for the window.'

const KNOWN = {
  'cleanup-ended-fork': 'A store gives a session to one run at a time: the end of a task waits for its run.',
  'options-lease':
    'A store keeps the sessions of the agent, without the options `checkpoint` and `until`: it aborts the run when the lease of a session is lost.',
  'consent-resumed': 'A call that waits beside another one is lost in a fresh process, once the other one is answered.',
  'listing-awkward/offeredTools': 'Mastra adds `additionalProperties: false` to every object in the schema of a tool.',
  'cleanup-left-waiting/toolRuns': BESIDE,
  'cleanup-left-waiting/auditEvents': BESIDE,
  'consent-instead/turnTexts': UNKNOWN,
  'consent-instead/history': UNKNOWN,
  'consent-instead-of-one/results':
    'Behind another message, a run that waited has lost the results of the calls that ran meanwhile.',
  'gate-side-by-side-asked/results': 'A run of Mastra that waits for several decisions goes on with one at a time.',
  'forks-work/results': TEXTS,
  'forks-history/results': TEXTS,
}
const STREAM = {
  '*/usage': 'The models that Mastra makes from a `url` ask for no token counts in streams of chat completions.',
}
/** AI SDK parses what a provider sends with a parser that throws for it. Anthropic streams it as text in JSON. */
const UNCOUNTED = { 'window-reasoning': HIDDEN }
const REFUSED = 'The AI SDK that Mastra brings along drops the text of a refusal of OpenAI.'
const REFUSALS = { 'errors-answer-ends/ended': REFUSED, 'errors-answer-ends/history': REFUSED }
const REQUIRED = { 'history-turns/offeredTools': 'The schema of a tool is given `required: []` in each object.' }

const PROTOTYPES = {
  'errors-odd-arguments':
    'The AI SDK rejects a whole answer with a call whose arguments have a key such as `__proto__`: nothing runs, but the run fails, and the model is not told.',
}
const PARSED = {
  'errors-arguments': 'A text that is JSON is parsed as arguments, and the call is carried out with them.',
}
const GEMINI = {
  ...UNCOUNTED,
  ...REQUIRED,
  'errors-odd-arguments': `${PROTOTYPES['errors-odd-arguments']} Gemini's protocol cannot express arguments that are null.`,
  'consent-approval-each': 'Behind a denied call, Mastra writes "Continue." in the name of the person.',
}

// The vendors' packages are optional: without one, its variants are left out.
const loadAnthropic = (): Promise<unknown> => import('@ai-sdk/anthropic')
const loadGoogle = (): Promise<unknown> => import('@ai-sdk/google')

/** Judges this adapter: `describeConformance(mastraDriver)`, or `repertoire conformance --adapter mastra`. */
export const mastraDriver: AdapterDriver = {
  name: 'Mastra',
  variants: [
    { name: 'generate', known: { ...REFUSALS, ...UNCOUNTED } },
    { name: 'stream', known: { ...STREAM, ...REFUSALS, ...UNCOUNTED } },
    {
      name: 'generate, Responses',
      protocol: 'openai-responses',
      known: { 'errors-answer-ends': 'The AI SDK that Mastra brings along takes a refusal for malformed.' },
    },
    { name: 'stream, Responses', protocol: 'openai-responses', known: REFUSALS },
    {
      name: 'generate, Anthropic',
      protocol: 'anthropic',
      known: { ...PROTOTYPES, ...UNCOUNTED, ...REQUIRED },
      load: loadAnthropic,
    },
    {
      name: 'stream, Anthropic',
      protocol: 'anthropic',
      known: { ...UNCOUNTED, ...REQUIRED },
      load: loadAnthropic,
    },
    { name: 'generate, Gemini', protocol: 'gemini', known: GEMINI, load: loadGoogle },
    { name: 'stream, Gemini', protocol: 'gemini', known: { ...GEMINI, ...PARSED }, load: loadGoogle },
  ],
  capabilities: {
    suspend: true,
    resume: true,
    abort: true,
    parallelCalls: true,
    hiding: true,
    continuation: true,
    compaction: true,
    approval: true,
    output: true,
    handoff: { absent: 'agents of Mastra call others as tools; none takes the conversation over' },
  },
  known: KNOWN,
  start: converse,
}

/** Models of Mastra's own for the protocols of OpenAI, and those of AI SDK for the others. */
async function modelsOf({ variant }: TaskSetup): Promise<(endpoint: TaskSetup['endpoint']) => AnyModel> {
  // AI SDK's own base URLs include the version.
  if (variant.endsWith('Anthropic')) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return ({ baseURL, apiKey, model }) => createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model) as AnyModel
  }
  if (variant.endsWith('Gemini')) {
    const { createGoogleGenerativeAI: createGoogle } = await import('@ai-sdk/google')
    return ({ baseURL, apiKey, model }) => createGoogle({ baseURL: `${baseURL}/v1beta`, apiKey })(model) as AnyModel
  }
  const api = variant.endsWith('Responses') ? 'responses' : 'chat'
  return ({ baseURL: url, apiKey, model: modelId }) => ({ providerId: 'loopback', modelId, url, apiKey, api })
}

async function agentOf(
  task: TaskSetup,
  { sessions, session }: Pick<StoredTask, 'sessions' | 'session'>,
): Promise<SkillsAgent> {
  const modelOf = await modelsOf(task)
  const { repertoire, models, subagents, tools, instructions, endpoint, approval } = task
  const config = {
    id: 'main',
    name: 'main',
    instructions,
    model: modelOf(endpoint) as never,
    tools: Object.fromEntries(
      tools.map(({ name, description, inputSchema, ...own }) => [
        name,
        createTool({
          id: name,
          description,
          inputSchema: inputSchema as never,
          requireApproval: approval?.tools.includes(name) === true,
          execute: async (input: unknown, { agent, abortSignal }: any) =>
            own.execute(input as never, {
              callId: agent?.toolCallId ?? '',
              signal: abortSignal,
            }),
        }),
      ]),
    ),
  }
  const resolveModel = (name: string): AnyModel | undefined => {
    const found = models?.get(name)
    return found && modelOf(found)
  }
  return skillsAgent(config, { subagents, resolveModel, repertoire, sessions, session }) as never
}

async function converse(task: TaskSetup): Promise<Conversation> {
  const { maxSteps, approval, output: schema } = task
  const saved = task.saved as Saved | undefined
  const kept = storedTask(task, saved?.session)
  const { id: thread, place, active, end } = kept
  const agent = await agentOf(task, kept)
  const storage = new InMemoryStore()
  void new Mastra({ agents: { main: agent as never }, storage, logger: false })
  const workflows = (await storage.getStore('workflows'))!
  let messages: unknown[] = saved?.messages ?? []
  let waiting = saved?.run?.id
  for (const { workflowName, snapshot } of saved?.run?.stored ?? []) {
    await workflows.persistWorkflowSnapshot({ workflowName, runId: waiting!, snapshot: snapshot as never })
  }

  const streams = task.variant.includes('stream')

  /** Runs, or goes on with the call of the run that waits. */
  async function run(signal: AbortSignal | undefined, toolCallId?: string, data?: object): Promise<Turn> {
    let list: any
    const options = {
      maxSteps,
      ...(data && { runId: waiting, toolCallId }),
      ...(schema && { structuredOutput: { schema } }),
      memory: { thread, resource: 'person' },
      abortSignal: signal,
      inputProcessors: [
        {
          id: 'history',
          // A run that fails has no result: this is its history.
          processInputStep({ messageList }: any) {
            list = messageList
            messages = messageList.get.all.db()
          },
        },
      ],
    }
    const method = data === undefined ? (streams ? 'stream' : 'generate') : streams ? 'resumeStream' : 'resumeGenerate'
    try {
      const output = await (agent as any)[method](data ?? messages, options)
      const ended = 'getFullOutput' in output ? await output.getFullOutput() : output
      signal?.throwIfAborted()
      if (ended.error !== undefined) throw ended.error
      waiting = ended.finishReason === 'suspended' ? ended.runId : undefined
      // The text of a run that has waited is that of all its steps.
      const text = () =>
        schema === undefined ? (ended.steps.at(-1)?.text ?? ended.text) : JSON.stringify(ended.object)
      if (waiting === undefined) return { status: 'done', text: text() }
      return goOn(signal)
    } finally {
      if (list !== undefined) messages = list.get.all.db()
    }
  }

  /** What a run that waits waits for: consent, or the person who approves calls of the host's own tools. */
  async function goOn(signal?: AbortSignal): Promise<Turn> {
    const requests = await agent.requests(waiting!)
    if (requests.length > 0) return { status: 'asking', requests: requests.map(({ request }) => request) }
    const { runs } = await agent.listSuspendedRuns()
    const [call] = runs.find(({ runId }) => runId === waiting)!.toolCalls
    const decided = await approval!.ask({ tool: call!.toolName!, input: call!.args })
    return run(signal, call!.toolCallId, decided)
  }

  return {
    async send(text, { signal, answers = [] } = {}) {
      for (const { requestId, ...data } of answers) {
        const { toolCallId } = (await agent.requests(waiting!)).find(({ request }) => request.id === requestId)!
        await run(signal, toolCallId, data)
      }
      waiting = undefined
      messages = [...messages, { role: 'user', content: text }]
      return run(signal)
    },
    async answer(answers: readonly ConsentAnswer[], { signal } = {}) {
      let turn: Turn = { status: 'done', text: '' }
      const pending = await agent.requests(waiting!)
      for (const { toolCallId, request } of pending) {
        const { approved = false, reason } = answers.find(({ requestId }) => requestId === request.id) ?? {}
        turn = await run(signal, toolCallId, { approved, reason })
      }
      return turn
    },
    async save() {
      const { runs } = await workflows.listWorkflowRuns()
      const stored = runs.filter(({ runId }) => runId === waiting)
      return JSON.parse(JSON.stringify({ messages, session: place, run: waiting && { id: waiting, stored } }))
    },
    forget: async () => void (messages = []),
    active,
    end,
  }
}
