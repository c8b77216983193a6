import { ReducedValue, StateSchema, type StateSchemaFields } from '@langchain/langgraph'
import type { Repertoire, SavedSession } from '@repertoire/core'
import { z } from 'zod'
import { arriveLive } from './live-sessions.ts'
import { RunSession } from './run-session.ts'

/** The name of a channel in the graph's state. */
export type ChannelName = `_${string}`

/** What the last model call was made with: calls of its answer may run in another process. */
export interface LastModelCall {
  /** The names of the host's tools that the model was shown. */
  readonly tools: readonly string[]
  /** The name of the model. Absent: it has none. */
  readonly model?: string
}

/** What the channel holds: the saved session, and what stands beside it. */
export type ChannelValue = SavedSession & { readonly last?: LastModelCall }

/** A branch of the session, as a call that ran beside others has left it. */
interface ChannelUpdate {
  readonly saved: SavedSession
  /** The seal of the value that it began with. Absent: there was no session yet. */
  readonly base?: string | undefined
  readonly last?: LastModelCall | undefined
}

/** The schema of the channel. */
export type SkillsState = StateSchema<{
  readonly [channel: ChannelName]: ReducedValue<ChannelValue | RunSession | null, ChannelUpdate | RunSession>
}>

/** The default name of the middleware. */
export const DEFAULT_NAME = 'repertoire'

/** LangChain excludes channels whose name begins with `_` from the input and output of `invoke`. */
export function channelOf(name: string): ChannelName {
  return `_${name}`
}

/**
 * Declares the channel. `null` means "no session yet": without it, LangGraph would take the first update for it.
 */
export function skillsState(repertoire: Repertoire, channel: ChannelName): SkillsState {
  return new PreparedState({
    [channel]: new ReducedValue<ChannelValue | RunSession | null, ChannelUpdate | RunSession>(
      z.custom<ChannelValue | RunSession | null>().default(null),
      {
        inputSchema: z.custom<ChannelUpdate | RunSession>(),
        // LangChain returns the state that a hook has received as an update: anything but a branch is ignored.
        reducer: (value, update) => {
          if (update instanceof RunSession) return update
          if (update?.saved === undefined || value instanceof RunSession) return value
          const before = value ?? undefined
          const base = before?.seal === update.base ? before : before && began.get(before)
          const kept = new KeptSession(repertoire.mergeSaved(base, before, update.saved), update.last ?? value?.last)
          began.set(kept, base)
          arriveLive(update, before, kept)
          return kept
        },
      },
    ),
  })
}

/** What a value began with, in the step of the graph that has merged it: the other branches of that step did too. */
const began = new WeakMap<object, SavedSession | undefined>()

/**
 * An instance of a class, since LangGraph copies plain objects at every depth for each call of a tool (`Send`), and
 * hands an instance on as it is. A checkpointer stores its properties, and what it restores is a plain object.
 */
class KeptSession implements SavedSession {
  readonly state: SavedSession['state']
  readonly seal: string
  declare readonly last?: LastModelCall

  constructor({ state, seal }: SavedSession, last: LastModelCall | undefined) {
    this.state = state
    this.seal = seal
    if (last !== undefined) this.last = last
  }
}

/**
 * A schema that LangChain need not convert at every model call, to take from the graph's state what a middleware may
 * see (`toPartialZodObject`). Of a `StateSchema` it makes an object of zod's and compiles it, each time, which takes as
 * long as all that the call needs of a session. Of what has the marks of an object of zod 3, it asks for the partial
 * form, and here that is made once. Wherever else LangChain reads a schema it asks first whether it is a `StateSchema`.
 */
class PreparedState<Fields extends StateSchemaFields> extends StateSchema<Fields> {
  readonly _def = { typeName: 'ZodObject' }
  readonly #partial: z.core.$ZodObject

  constructor(fields: Fields) {
    super(fields)
    const shape = Object.fromEntries(Object.keys(fields).map((name) => [name, z.optional(z.custom())]))
    this.#partial = new z.core.$ZodObject({ type: 'object', shape })
  }

  partial(): z.core.$ZodObject {
    return this.#partial
  }
}

/** Returns the channel's value in a state; undefined before there is a session. */
export function valueIn(state: object, channel: ChannelName): ChannelValue | undefined {
  const value: ChannelValue | RunSession | null | undefined = Reflect.get(state, channel)
  return value instanceof RunSession ? undefined : (value ?? undefined)
}

/** Returns the session of the run; undefined where a checkpointer keeps the thread. */
export function runIn(state: object, channel: ChannelName): RunSession | undefined {
  const value: unknown = Reflect.get(state, channel)
  return value instanceof RunSession ? value : undefined
}
