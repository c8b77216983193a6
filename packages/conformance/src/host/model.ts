import type { ScriptedCall, ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { reasonOf } from '../failure.ts'
import type { HostDriver } from './driver.ts'
import type { Move } from './moves.ts'

/** More requests than any check needs: a host that goes on for longer does not end. */
const MAX_REQUESTS = 60

/** What came of a move. */
interface Made {
  readonly what: string
  /** The ids of its calls. Undefined: the request offered no way to do it. */
  readonly calls: readonly string[] | undefined
  /** The request that followed its last call. Undefined: there was none. */
  readonly after: WireRequest | undefined
}

/** The model of one conversation. It makes moves, and then says that it is done. */
export interface ScriptedModel {
  /** What the endpoint plays. */
  readonly script: readonly ScriptStep[]
  /** The requests of the conversation so far, oldest first. */
  readonly requests: readonly WireRequest[]
  /** What went wrong in the driver's own functions. */
  readonly mistakes: readonly string[]
  /** Sets the moves for the next message of the user, and forgets what is left of earlier ones. */
  begin(moves: readonly Move[]): void
  /** The moves since `begin` that were made, in their order. */
  made(): readonly Made[]
}

interface Making {
  readonly what: string
  calls: string[] | undefined
  after?: WireRequest
}

/** Returns the model of a conversation. */
export function createModel(driver: HostDriver, folder: string): ScriptedModel {
  const requests: WireRequest[] = []
  const mistakes: string[] = []
  let waiting: Move[] = []
  let messages: (readonly ScriptedCall[])[] = []
  let made: Making[] = []
  let current: Making | undefined
  let callCount = 0

  const play = (request: WireRequest): ScriptStep => {
    if (driver.own?.(request) === false) return { text: 'OK' }
    requests.push(request)
    if (requests.length > MAX_REQUESTS) throw new Error(`The host sent more than ${MAX_REQUESTS} requests.`)
    if (messages.length === 0 && current !== undefined) {
      current.after = request
      current = undefined
    }
    while (messages.length === 0) {
      const move = waiting.shift()
      if (move === undefined) return { text: 'Done.' }
      const written = move.messages(driver, { request, folder })
      if (written === undefined) made.push({ what: move.what, calls: undefined })
      else {
        messages = written.filter(({ length }) => length > 0)
        current = { what: move.what, calls: [] }
        made.push(current)
      }
    }
    const calls = messages.shift()!.map((call) => ({ ...call, id: `call_${++callCount}` }))
    current?.calls?.push(...calls.map(({ id }) => id))
    return { calls }
  }

  const step = (request: WireRequest): ScriptStep => {
    try {
      return play(request)
    } catch (error) {
      mistakes.push(reasonOf(error))
      throw error
    }
  }
  return {
    // One step for each request, and room for requests beside the conversation.
    script: Array.from({ length: 5 * MAX_REQUESTS }, () => step),
    requests,
    mistakes,
    begin(moves) {
      waiting = [...moves]
      messages = []
      made = []
      current = undefined
    },
    made: () => made.map(({ what, calls, after }) => ({ what, calls, after })),
  }
}
