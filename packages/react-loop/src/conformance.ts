import {
  type AdapterDriver,
  type Conversation,
  storedTask,
  type StoredTaskPlace,
  type TaskEndpoint,
  type TaskSetup,
  type Turn,
} from '@repertoire/conformance'
import type { ConsentRequest, SavedSession } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { textDialect } from './conformance/dialect.ts'
import { createReActLoop } from './loop.ts'
import type { LoopResult } from './events.ts'
import type { Message, Model } from './model.ts'
import type { ReActLoop, ReActLoopOptions, RunOptions } from './options.ts'
import { openAICompatible } from './openai/openai.ts'

/** What is saved: the messages so far and the session. Nothing else is needed, even while a consent request is open. */
interface Saved {
  readonly messages: readonly Message[]
  readonly session: SavedSession | StoredTaskPlace
}

const NO_REASONING =
  'The text protocol keeps what the model wrote as text, and not the reasoning that an endpoint reports beside it.'

const TEXT = {
  'history-reasoning': NO_REASONING,
  'history-reasoning-answers': NO_REASONING,
  'forks-history/history': NO_REASONING,
  'window-reasoning': NO_REASONING,
  'history-turns': 'The text protocol trims what the model says beside calls, and its answers.',
  'consent-shared-ids': 'The text protocol has no ids on the wire, and the suite reads them from its script.',
  'errors-arguments/history': 'The text protocol sends arguments back as the model wrote them.',
  'errors-odd-arguments/history': 'The text protocol sends arguments back as the model wrote them.',
}

const WAITS = 'The loop waits for the answers to its questions, and refuses a message before.'

const SESSIONS = {
  'cleanup-ended-fork': 'A store gives a session to one run at a time: the end of a task waits for its run.',
  'options-lease':
    'A store keeps the sessions of the loop, without the options `checkpoint` and `until`: it aborts the run when the lease of a session is lost.',
}

/**
 * The driver of the loop for the conformance suite: both protocols, and loops that own their sessions, streamed and
 * not.
 */
export const reactLoopDriver: AdapterDriver = {
  name: 'react-loop',
  variants: [
    { name: 'native' },
    { name: 'native stream' },
    // Loops that own their sessions.
    { name: 'sessions', known: SESSIONS },
    { name: 'sessions stream', known: SESSIONS },
    { name: 'text', dialect: textDialect, known: TEXT },
    { name: 'text stream', dialect: textDialect, known: TEXT },
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
    output: { absent: 'The loop gives its model no schema for answers.' },
    handoff: { absent: 'The loop has no handoffs: one agent runs a conversation.' },
  },
  known: {
    'consent-instead': WAITS,
    'consent-instead-of-one': WAITS,
  },
  start: (task) => Promise.resolve(converse(task)),
}

function modelOf({ baseURL, apiKey, model }: TaskEndpoint): Model {
  return openAICompatible({ baseURL, apiKey, model, maxRetries: 0 })
}

/** Where the session of a conversation is, and the loop that works in it. */
interface Place extends Pick<Conversation, 'active' | 'end'> {
  readonly loop: Pick<ReActLoop, 'run' | 'stream'>
  readonly save: () => Saved['session']
}

function placeOf(task: TaskSetup, saved: Saved | undefined, options: Omit<ReActLoopOptions, 'session'>): Place {
  const { repertoire } = task
  if (task.variant.startsWith('sessions')) {
    const { place, id, sessions, session, active, end } = storedTask(
      task,
      saved?.session as StoredTaskPlace | undefined,
    )
    const loop = createReActLoop({ ...options, repertoire, sessions, session })
    return {
      loop: {
        run: (input, run) => loop.run(input, { ...run, session: id }),
        stream: (input, run) => loop.stream(input, { ...run, session: id }),
      },
      save: () => place,
      active,
      end,
    }
  }
  const from = saved === undefined ? {} : { saved: saved.session as SavedSession }
  const session = openAdapterSession(repertoire, { ...task.session, ...from })
  return {
    loop: createReActLoop({ ...options, session }),
    save: () => session.save(),
    active: async () => session.activeSkills,
    end: () => session.end(),
  }
}

function converse(task: TaskSetup): Conversation {
  const { variant, instructions, tools, maxSteps, models, subagents, approval } = task
  const saved = task.saved as Saved | undefined
  const messages: Message[] = [...(saved?.messages ?? [])]
  let waiting: readonly ConsentRequest[] = []

  const { loop, save, active, end } = placeOf(task, saved, {
    model: modelOf(task.endpoint),
    tools,
    instructions,
    protocol: variant.startsWith('text') ? 'text' : 'native',
    maxSteps,
    subagents,
    resolveModel(name) {
      const found = models?.get(name)
      return found && modelOf(found)
    },
    ...(approval && {
      approve: (call) => approval.ask(call),
      needsApproval: ({ tool }) => approval.tools.includes(tool),
    }),
  })

  async function resultOf(options: RunOptions): Promise<LoopResult> {
    if (!variant.endsWith('stream')) return loop.run([...messages], options)
    for await (const event of loop.stream([...messages], options)) if (event.type === 'finish') return event.result
    throw new Error('The stream has ended without a result.')
  }

  async function run(options: RunOptions): Promise<Turn> {
    const { text, consentRequests = [] } = await resultOf({
      ...options,
      onMessage: (message) => messages.push(message),
    })
    waiting = consentRequests
    return waiting.length > 0 ? { status: 'asking', requests: waiting } : { status: 'done', text }
  }

  return {
    async send(text, { signal } = {}) {
      if (waiting.length > 0) throw new TypeError('The run waits for consent. Answer its requests first.')
      messages.push({ role: 'user', content: text })
      return run({ signal })
    },
    answer(given, { signal } = {}) {
      const denied = waiting.filter(({ id }) => !given.some(({ requestId }) => requestId === id))
      waiting = []
      return run({ signal, answers: [...given, ...denied.map(({ id }) => ({ requestId: id, approved: false }))] })
    },
    save: () => Promise.resolve({ messages: [...messages], session: save() } satisfies Saved),
    forget: async () => void (messages.length = 0),
    active,
    end,
  }
}
