import type { ScriptedCall } from '../endpoint/script.ts'
import type { HostCalls, HostDriver, HostMoment } from './driver.ts'

/** Something that the model does in a conversation: one or several messages with calls. */
export interface Move {
  /** For messages: `activate "pdf"`. */
  readonly what: string
  /** Why a check cannot judge a host that offers no way to do it. Absent: the check fails. */
  readonly optional?: string
  /** Undefined if the request offers no way to do it. */
  messages(driver: HostDriver, at: HostMoment): readonly (readonly ScriptedCall[])[] | undefined
}

/** The model activates a skill. */
export function activating(skill: string): Move {
  return {
    what: `activate ${JSON.stringify(skill)}`,
    messages: ({ activate }, at) => (typeof activate === 'function' ? listed(activate(skill, at)) : undefined),
  }
}

/** The model reads a file of a skill. */
export function reading(skill: string, path: string): Move {
  return {
    what: `read ${JSON.stringify(path)} of ${JSON.stringify(skill)}`,
    messages: ({ read }, at) => (typeof read === 'function' ? listed(read(skill, path, at)) : undefined),
  }
}

/** The model calls one of the host's own tools. */
export function calling(tool: string, input: unknown): Move {
  return {
    what: `call ${JSON.stringify(tool)}`,
    messages: (driver) => [[{ tool: driver.toolName?.(tool) ?? tool, input }]],
  }
}

/** The model asks for the list of skills, if the host does not show one. */
export function listing(host: HostDriver): readonly Move[] {
  return host.list === undefined
    ? []
    : [{ what: 'list the skills', messages: (driver, at) => listed(driver.list?.(at)) }]
}

/** The model activates a skill that does not exist, if it can write such a name. */
export function activatingUnknown(skill: string): Move {
  return { ...activating(skill), optional: `The model cannot name a skill that is not listed.` }
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

function listed(calls: HostCalls | undefined): readonly (readonly ScriptedCall[])[] | undefined {
  if (calls === undefined) return undefined
  return Array.isArray(calls) ? (calls as readonly (readonly ScriptedCall[])[]) : [[calls as ScriptedCall]]
}
