import type { ConsentHandler, FunctionTool, Session, StepView, ToolDefinition } from '@repertoire/core'
import { carryOut } from './calls.ts'
import { createChannel } from './channel.ts'
import { openCalls, withOwnIds } from './conversation.ts'
import type { LoopEvent, LoopResult } from './events.ts'
import type { Message, Model, ModelAnswer, ModelRequest, Usage } from './model.ts'
import { nativeProtocol } from './protocol/native.ts'
import { textProtocol } from './protocol/text.ts'

/** How a loop is made. */
export interface ReActLoopOptions {
  readonly model: Model
  /** The task's session. The loop never ends it: that is for whoever opened it, or for `repertoire.runTask`. */
  readonly session: Session
  /** The host's own tools. Default: none. Each judges its own input beyond that it is a JSON object. */
  readonly tools?: readonly FunctionTool[]
  /** The host's own system prompt. */
  readonly instructions?: string
  /**
   * `native` (default): the wire's own tool calls. `text`: the plain-text ReAct protocol, for models that have none.
   */
  readonly protocol?: 'native' | 'text'
  /** Model calls per run at the most. Default 20. */
  readonly maxSteps?: number
  /**
   * Asks whether a skill may be activated, where the session has no handler of its own. Whatever the calls of one
   * message ask is asked in one tick, before any of them is carried out.
   */
  readonly onConsent?: ConsentHandler
}

export interface RunOptions {
  /** Aborts the request and is handed to the tools. */
  readonly signal?: AbortSignal
  /**
   * Is told every message that the run adds, as soon as it stands. With the messages that the run began with they are
   * the conversation, also where the run fails, and after an abort they are complete: `run` goes on with them.
   */
  readonly onMessage?: (message: Message) => void
}

/** A loop of reason, act, observe over one session. */
export interface ReActLoop {
  /**
   * Lets the model work until it has answered. Calls without a result at the end of the given messages are carried
   * out first, so that a conversation which was stored while it waited for consent goes on where it stood.
   * @param input a user's message, or a whole conversation
   * @throws the endpoint's errors as they are; the signal's reason; {TypeError} another run is going on in this loop,
   * there are no messages, or a call further up has no result
   */
  run(input: string | readonly Message[], options?: RunOptions): Promise<LoopResult>
  /**
   * The same, streamed: what happens, as it happens, and last `finish`. Begins with the first read; who stops reading
   * aborts the run.
   */
  stream(input: string | readonly Message[], options?: RunOptions): AsyncGenerator<LoopEvent, void, undefined>
}

interface Run extends RunOptions {
  readonly streamed: boolean
  readonly emit: (event: LoopEvent) => void
}

/**
 * Makes a loop.
 * @throws {TypeError} two tools have one name, or `maxSteps` is no whole number of 1 or more
 */
export function createReActLoop(options: ReActLoopOptions): ReActLoop {
  const { model, session, tools: hostTools = [], instructions, maxSteps = 20, onConsent } = options
  const protocol = options.protocol === 'text' ? textProtocol : nativeProtocol
  const tools = byName(hostTools)
  if (!Number.isInteger(maxSteps) || maxSteps < 1) {
    throw new TypeError(`maxSteps is ${maxSteps}. Give a whole number of 1 or more.`)
  }
  let running = false

  async function execute(input: string | readonly Message[], run: Run): Promise<LoopResult> {
    const { signal, onMessage, emit } = run
    const messages: Message[] = typeof input === 'string' ? [] : [...input]
    const add = (message: Message): void => {
      messages.push(message)
      onMessage?.(message)
    }
    const observe = async (calls: ModelAnswer['calls']): Promise<void> => {
      const results = await carryOut({ session, tools, onConsent, signal, emit }, calls)
      for (const result of results) add(result)
      signal?.throwIfAborted()
    }

    if (typeof input === 'string') add({ role: 'user', content: input })
    if (messages.length === 0)
      throw new TypeError('There are no messages to answer. Give a text or at least one message.')
    const open = openCalls(messages)
    if (open.length > 0) {
      session.beginStep(tools.keys())
      await observe(open)
    }
    let usage: Usage = { inputTokens: 0, outputTokens: 0 }
    for (let step = 1; ; step++) {
      signal?.throwIfAborted()
      const view = session.beginStep(tools.keys())
      emit({ type: 'step-start', step })
      const offered = protocol.request(view.system(instructions), messages, shownTools(hostTools, view))
      const answer = await callModel(offered, run)
      // What is cut off is not acted upon, even where a call in it looks whole.
      const isWhole = answer.finishReason !== 'length' && answer.finishReason !== 'content-filter'
      const asked = session.state.open.map(({ callId }) => callId)
      const calls = isWhole ? withOwnIds(answer.calls, messages, asked) : []
      const { text, finishReason } = answer
      if (text !== '' || calls.length > 0) add({ role: 'assistant', content: text, ...(calls.length > 0 && { calls }) })
      if (calls.length > 0) await observe(calls)
      usage = sum(usage, answer.usage)
      emit({ type: 'step-end', step, finishReason, ...(answer.usage !== undefined && { usage: answer.usage }) })
      if (calls.length === 0) return { text, messages, steps: step, finishReason, usage }
      if (step >= maxSteps) return { text, messages, steps: step, finishReason: 'max-steps', usage }
    }
  }

  async function callModel(request: ModelRequest, { streamed, signal, emit }: Run): Promise<ModelAnswer> {
    try {
      if (!streamed) return protocol.read(await model.complete(request, { signal }))
      let received = ''
      let shown = ''
      const show = (text: string): void => {
        if (text.length <= shown.length) return
        emit({ type: 'text-delta', text: text.slice(shown.length) })
        shown = text
      }
      for await (const part of model.stream(request, { signal })) {
        if (part.type === 'answer') {
          const answer = protocol.read(part.answer)
          show(answer.text)
          return answer
        }
        received += part.text
        show(protocol.shown(received))
      }
      throw new TypeError('The model\'s stream ended without an answer. Its last part must be of the type "answer".')
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running) {
      throw new TypeError(
        'This loop is running already. Await that run, or make another loop over a session of its own.',
      )
    }
    running = true
    try {
      return await work()
    } finally {
      running = false
    }
  }

  return {
    run: (input, run = {}) => alone(() => execute(input, { ...run, streamed: false, emit: () => {} })),
    async *stream(input, run = {}) {
      const channel = createChannel<LoopEvent>()
      const left = new AbortController()
      const signal = run.signal === undefined ? left.signal : AbortSignal.any([run.signal, left.signal])
      const ended = alone(() => execute(input, { ...run, signal, streamed: true, emit: channel.push })).then(
        (result) => {
          channel.push({ type: 'finish', result })
          channel.close()
        },
        (error: unknown) => channel.close({ error }),
      )
      try {
        yield* channel
      } finally {
        left.abort()
        await ended
      }
    },
  }
}

function byName(tools: readonly FunctionTool[]): ReadonlyMap<string, FunctionTool> {
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const [twice] = tools.filter((tool) => named.get(tool.name) !== tool)
  if (twice !== undefined) throw new TypeError(`Two tools are named "${twice.name}". Give each a name of its own.`)
  return named
}

/** What is offered in one step: the host's tools that are in reach, and the skill tools. */
function shownTools(hostTools: readonly FunctionTool[], view: StepView): readonly ToolDefinition[] {
  const offered = hostTools.filter(({ name }) => !view.hides(name))
  return [...offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), ...view.tools]
}

function sum(a: Usage, b: Usage | undefined): Usage {
  return { inputTokens: a.inputTokens + (b?.inputTokens ?? 0), outputTokens: a.outputTokens + (b?.outputTokens ?? 0) }
}
