import { randomUUID } from 'node:crypto'
import type { WireForm } from '../driver.ts'
import { reasonOf, show } from '../failure.ts'
import type { EncodedMessage, ScriptedMessage, SentMessage } from './dialect.ts'
import type { Fields } from './fields.ts'
import { type Exchange, type Memory, type Protocol, type Refusal, RefusedRequest } from './protocol.ts'
import { type DropStep, type ScriptStep, resolveStep } from './script.ts'
import type { WireCall, WireRequest } from './wire.ts'

/** The model of one conversation: a script, and all requests to it. */
export interface Play {
  /**
   * Must be passed unchanged to the vendor's own client package. Ends in `/v1` for OpenAI; for Anthropic and Gemini
   * nothing
   * follows the address, since their clients add the version themselves.
   */
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
  /** Every well-formed request so far, oldest first. Grows during the play. */
  readonly requests: readonly WireRequest[]
  /** What the model sent so far, oldest first, as its protocol carries it. Grows during the play. */
  readonly answers: readonly EncodedMessage[]
  /** The errors in requests or in the script. Empty: everything went as scripted. */
  readonly failures: readonly string[]
  /** The steps that the endpoint is currently holding back: `step 2 waits for its hold`. */
  readonly waiting: readonly string[]
  /** Cuts every open connection of this play; later requests are refused. */
  close(): void
}

/** The endpoint's reaction to one request. */
type Answer = Refusal | DropStep | { readonly message: EncodedMessage }

/** What the server needs of a play. */
export interface PlayState {
  readonly play: Play
  readonly protocol: Protocol
  readonly closed: AbortSignal
  readonly memory: Memory
  /** Returns the script's next step for a request. What cannot be played is added to `failures` and to the answer. */
  next(exchange: Exchange, body: Fields, left: AbortSignal): Promise<Answer>
  /** Records a failure, and returns it. */
  fail(failure: string): string
  /** The progress so far, for a play that continues this one. */
  history(): PlayHistory
}

/** What a play passes to the one that continues it. */
interface PlayHistory {
  /** The number of steps played. */
  readonly stepsPlayed: number
  readonly memory: Memory
}

/** How a play is set up. */
export interface PlayOptions {
  readonly protocol: Protocol
  readonly history?: PlayHistory | undefined
  readonly form?: WireForm | undefined
  readonly onClose: () => void
}

/** The bytes that a connection carries before it is cut off. */
export const CUT_OFF: EncodedMessage = { content: 'This answer is cut off in the middle.' }

/** Returns the model that plays a script at an address. */
export function createPlay(
  baseURL: string,
  script: readonly ScriptStep[],
  { protocol, history = { stepsPlayed: 0, memory: { sent: [], stored: new Map() } }, form, onClose }: PlayOptions,
): PlayState {
  const steps = [...script]
  const requests: WireRequest[] = []
  const answers: EncodedMessage[] = []
  const failures: string[] = []
  const sent: SentMessage[] = [...history.memory.sent]
  const memory: Memory = { sent, stored: history.memory.stored }
  const holding = new Set<number>()
  const closing = new AbortController()
  let stepsPlayed = 0

  const fail = (failure: string): string => {
    failures.push(failure)
    return failure
  }
  const refuse = (failure: string): Refusal => ({ status: 400, message: fail(failure) })

  const encode = (scripted: ScriptedMessage): EncodedMessage => {
    const written = { ...scripted, calls: renamed(scripted.calls, form?.toWire) }
    const encoded = protocol.encode(written)
    sent.push({ scripted: written, encoded })
    const { toolCalls } = encoded
    answers.push({ ...encoded, ...(toolCalls !== undefined && { toolCalls: renamed(toolCalls, form?.fromWire) }) })
    return encoded
  }

  const playStep = async (
    step: ScriptStep,
    number: number,
    request: WireRequest,
    left: AbortSignal,
  ): Promise<Answer> => {
    const place = { number, numberInConversation: history.stepsPlayed + number }
    const resolved = await resolveStep(step, place, request, left, (waits) =>
      waits ? holding.add(number) : holding.delete(number),
    )
    return 'say' in resolved ? { message: encode(resolved.say) } : resolved
  }

  return {
    play: {
      baseURL,
      apiKey: `sk-conformance-${randomUUID()}`,
      model: protocol.model,
      requests,
      answers,
      failures,
      get waiting() {
        return [...holding].map((number) => `step ${number} waits for its hold`)
      },
      close() {
        closing.abort()
        onClose()
      },
    },
    protocol,
    closed: closing.signal,
    memory,
    async next(exchange, body, left) {
      let request: WireRequest
      try {
        request = { ...exchange.decode(body, memory), raw: body }
        if (form?.isConversation?.(request) === false) return { message: protocol.encode({ text: 'Done.', calls: [] }) }
        request = inCheckForm(request, form)
      } catch (error) {
        const refused = refuse(
          `A request is malformed for ${protocol.name}: ${error instanceof Error ? error.message : show(error)}`,
        )
        return error instanceof RefusedRequest ? { ...error.refusal, message: refused.message } : refused
      }
      requests.push(request)
      const number = ++stepsPlayed
      const step = steps[number - 1]
      if (step === undefined) {
        const times = steps.length === 1 ? '1 step' : `${steps.length} steps`
        return refuse(`Request ${number} goes beyond the script, which has ${times}. ${lastMessageText(request)}`)
      }
      try {
        return await playStep(step, number, request, left)
      } catch (error) {
        return refuse(`The script's step ${number} could not be played: ${reasonOf(error)}`)
      }
    },
    fail,
    history: () => ({
      stepsPlayed: history.stepsPlayed + stepsPlayed,
      // What the vendor stores, it stores for every process.
      memory: { sent: [...sent], stored: memory.stored },
    }),
  }
}

/** Returns a request in the form that checks know. */
function inCheckForm(request: WireRequest, { fromWire, read = (sent) => sent }: WireForm = {}): WireRequest {
  if (fromWire === undefined) return read(request)
  return read({
    ...request,
    tools: request.tools.map((tool) => ({ ...tool, name: fromWire(tool.name) })),
    messages: request.messages.map((message) =>
      message.calls === undefined ? message : { ...message, calls: renamed(message.calls, fromWire) },
    ),
  })
}

function renamed(calls: readonly WireCall[], rename: ((name: string) => string) | undefined): readonly WireCall[] {
  return rename === undefined ? calls : calls.map((call) => ({ ...call, tool: rename(call.tool) }))
}

/** Returns the end of the conversation as a sentence, which usually explains why another request was sent. */
function lastMessageText({ messages }: WireRequest): string {
  const last = messages.at(-1)
  if (last === undefined) return 'It contained no message except the system prompt.'
  return `It ended with a message of the role ${last.role}: ${show(last.text, 200)}.`
}
