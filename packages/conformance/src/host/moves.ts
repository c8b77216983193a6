import type { ScriptedCall } from '../endpoint/script.ts'
import type { HostCalls, HostDriver, HostMoment } from './driver.ts'

/** Something that the model does in a conversation: one or several messages with calls. */
export interface Move {
  /** For messages: `activating "pdf"`. */
  readonly what: string
  /** The name of something that does not exist: the model must be told so, if it can write the name at all. */
  readonly absent?: string
  /** Undefined if the request offers no way to do it. */
  messages(driver: HostDriver, at: HostMoment): readonly (readonly ScriptedCall[])[] | undefined
}

/** The model activates a skill. */
export function activating(skill: string): Move {
  return {
    what: `activating ${JSON.stringify(skill)}`,
    messages: ({ activate }, at) => (typeof activate === 'function' ? listed(activate(skill, at)) : undefined),
  }
}

/** The model reads a file of a skill. */
export function reading(skill: string, path: string): Move {
  return {
    what: `reading ${JSON.stringify(path)} of ${JSON.stringify(skill)}`,
    messages: ({ read }, at) => (typeof read === 'function' ? listed(read(skill, path, at)) : undefined),
  }
}

/** The model looks an order up, with the tool that the host has of its own. */
export function lookingUp(order: string): Move {
  return {
    what: `looking up ${JSON.stringify(order)}`,
    messages: (driver) => [[{ tool: driver.toolName?.('lookup') ?? 'lookup', input: { order } }]],
  }
}

/** The model does several things in the same messages. */
export function together(...moves: readonly Move[]): Move {
  return {
    what: moves.map(({ what }) => what).join(' and '),
    messages(driver, at) {
      const all = moves.map((move) => move.messages(driver, at))
      const offered = all.filter((each) => each !== undefined)
      if (offered.length < all.length) return undefined
      const count = Math.max(...offered.map(({ length }) => length))
      return Array.from({ length: count }, (_, index) => offered.flatMap((each) => each[index] ?? []))
    },
  }
}

/** Returns the messages of a driver's calls. */
export function listed(calls: HostCalls | undefined): readonly (readonly ScriptedCall[])[] | undefined {
  if (calls === undefined) return undefined
  return Array.isArray(calls) ? (calls as readonly (readonly ScriptedCall[])[]) : [[calls as ScriptedCall]]
}
