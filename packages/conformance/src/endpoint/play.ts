import { randomUUID } from 'node:crypto'
import type { WireForm } from '../driver.ts'
import { reasonOf, show } from '../failure.ts'
import type { EncodedMessage, ScriptedMessage, SentMessage } from './dialect.ts'
import type { Fields } from './fields.ts'
import { type Exchange, type Memory, type Protocol, type Refusal, RefusedRequest } from './protocol.ts'
import { type ErrorStep, type ScriptStep, resolveStep } from './script.ts'
import type { WireCall, WireRequest } from './wire.ts'

/** The model of one conversation: a script, and all requests to it. */
export interface Play {
  /**
   * Must be passed unchanged to the vendor's own client package. Ends in `/v1` for OpenAI; for Anthropic and Gemini
   * nothing follows the address, since their clients add the version themselves.
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

/** What the server needs of a play. */
export interface PlayState {
  readonly play: Play
  readonly protocol: Protocol
  readonly closed: AbortSignal
  readonly memory: Memory
  /**
   * Returns the script's next step for a request.
   * @throws {Error} if the request is malformed, or nothing can be played
   */
  next(exchange: Exchange, body: Fields, left: AbortSignal): Promise<ErrorStep | EncodedMessage>
  /** Records why a request is not answered, and returns what is said to the client. */
  refuse(thrown: unknown): Refusal
  /** The number of steps played, with those of the play that this one continues. */
  readonly stepsPlayed: number
}

/**
 * Returns the model that plays a script at an address.
 * @param after the play that this one continues
 */
export function createPlay(
  baseURL: string,
  script: readonly ScriptStep[],
  protocol: Protocol,
  { after, form }: { readonly after?: PlayState | undefined; readonly form?: WireForm | undefined },
): PlayState {
  const steps = [...script]
  const requests: WireRequest[] = []
  const answers: EncodedMessage[] = []
  const failures: string[] = []
  const sent: SentMessage[] = [...(after?.memory.sent ?? [])]
  // What the vendor stores, it stores for every process.
  const { responses = new Map(), items = new Map() }: Partial<Memory> = after?.memory ?? {}
  const memory: Memory = { sent, responses, items }
  const stepsBefore = after?.stepsPlayed ?? 0
  const holding = new Set<number>()
  const closing = new AbortController()
  let stepsPlayed = 0

  const encode = (scripted: ScriptedMessage): EncodedMessage => {
    const written = { ...scripted, calls: renamed(scripted.calls, form?.toWire) }
    const { end, model } = scripted
    const encoded = {
      ...protocol.encode(written),
      ...(end !== undefined && { end }),
      ...(model !== undefined && { model }),
    }
    sent.push({ scripted: written, encoded })
    const { toolCalls } = encoded
    answers.push({ ...encoded, ...(toolCalls !== undefined && { toolCalls: renamed(toolCalls, form?.fromWire) }) })
    return encoded
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
        closing.abort('The play is closed.')
      },
    },
    protocol,
    closed: closing.signal,
    memory,
    async next(exchange, body, left) {
      const request = inCheckForm({ ...exchange.decode(body, memory), raw: body }, form)
      requests.push(request)
      const number = ++stepsPlayed
      const step = steps[number - 1]
      if (step === undefined) {
        const times = steps.length === 1 ? '1 step' : `${steps.length} steps`
        const message = `Request ${number} goes beyond the script, which has ${times}. ${lastMessageText(request)}`
        // No SDK repeats a request after a 400.
        throw new RefusedRequest(400, message)
      }
      try {
        const resolved = await resolveStep(step, stepsBefore + number, request, left, (waits) =>
          waits ? holding.add(number) : holding.delete(number),
        )
        return 'status' in resolved ? resolved : encode(resolved)
      } catch (error) {
        throw new RefusedRequest(400, `The script's step ${number} could not be played: ${reasonOf(error)}`)
      }
    },
    refuse(thrown) {
      const reason = thrown instanceof Error ? thrown.message : show(thrown)
      const malformed = { status: 400, message: `A request is malformed for ${protocol.name}: ${reason}` }
      const refusal = thrown instanceof RefusedRequest ? thrown : malformed
      failures.push(refusal.message)
      return refusal
    },
    get stepsPlayed() {
      return stepsBefore + stepsPlayed
    },
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
