import type { ScriptedCall, ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import type { HostDriver } from './driver.ts'
import type { Move } from './moves.ts'

/** More requests than any check needs: a host that goes on for longer does not end. */
const MAX_REQUESTS = 60

/** A move of the model, and what has come of it so far. */
export interface Making {
  readonly move: Move
  /** The ids of its calls. Undefined: it is not made, or the request offered no way to make it. */
  calls?: string[]
  /** The request that the last call answered, and the one that followed it. */
  before?: WireRequest
  after?: WireRequest
}

/** Returns the model of one conversation. It makes moves, and then says that it is done. */
export function createModel(driver: HostDriver, folder: string) {
  const requests: WireRequest[] = []
  let waiting: Making[] = []
  let messages: (readonly ScriptedCall[])[] = []
  let current: Making | undefined
  let callCount = 0

  const play = (request: WireRequest): ScriptStep => {
    if (driver.own?.(request) === false) return { text: 'OK' }
    requests.push(request)
    if (requests.length > MAX_REQUESTS) throw new Error(`The host sent more than ${MAX_REQUESTS} requests.`)
    if (messages.length === 0 && current !== undefined) current.after ??= request
    while (messages.length === 0) {
      current = waiting.shift()
      if (current === undefined) return { text: 'Done.' }
      const written = current.move.messages(driver, { request, folder })
      if (written !== undefined) current.calls = []
      messages = written?.filter(({ length }) => length > 0) ?? []
    }
    const calls = messages.shift()!.map((call) => ({ ...call, id: `call_${++callCount}` }))
    current!.calls!.push(...calls.map(({ id }) => id))
    current!.before = request
    return { calls }
  }

  return {
    /** What the endpoint plays: a step for each request, and room for requests beside the conversation. */
    script: Array.from({ length: 5 * MAX_REQUESTS }, () => play),
    /** The requests of the conversation so far, oldest first. */
    requests,
    /** Sets the moves for the next message of the user, forgets earlier ones, and returns what comes of each. */
    begin(moves: readonly Move[]): readonly Making[] {
      const makings = moves.map((move): Making => ({ move }))
      waiting = [...makings]
      messages = []
      current = undefined
      return makings
    },
  }
}
