import { ReducedValue, StateSchema } from '@langchain/langgraph'
import type { Repertoire, SavedSession } from '@repertoire/core'
import type { SealedChanges } from '@repertoire/core/adapter'
import { z } from 'zod'

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

/**
 * Changes, so that concurrent calls can be merged; they are sealed, since a checkpointer stores those of a suspended run
 * next to the state.
 */
type ChannelUpdate = SealedChanges & { readonly last?: LastModelCall }

/** The schema of the channel. */
export type SkillsState = StateSchema<{
  readonly [channel: ChannelName]: ReducedValue<ChannelValue | null, ChannelUpdate>
}>

/** The default name of the middleware. */
export const DEFAULT_NAME = 'repertoire'

/** LangChain excludes channels whose name begins with `_` from the input and output of `invoke`. */
export function channelOf(name: string): ChannelName {
  return `_${name}`
}

/**
 * Declares the channel. `null` means "no session yet": without a value, LangGraph would use the first update as the value.
 * It is one for all: at every model call LangChain makes a schema of all channels and compiles it, which takes longer than
 * what the call itself needs of a session.
 */
export function skillsState(repertoire: Repertoire, channel: ChannelName): SkillsState {
  return new StateSchema({
    [channel]: new ReducedValue<ChannelValue | null, ChannelUpdate>(z.custom<ChannelValue | null>().default(null), {
      inputSchema: z.custom<ChannelUpdate>(),
      // LangChain returns the state that a hook has received as an update: anything but a sealed list of changes is
      // ignored.
      reducer: (value, update) => {
        if (!Array.isArray(update?.changes)) return value
        const saved = repertoire.advance(value ?? undefined, update)
        if (saved === undefined) return null
        const last = update.last ?? value?.last
        return last === undefined ? saved : { ...saved, last }
      },
    }),
  })
}

/** Returns what a state holds in the channel; undefined where there is no session yet. */
export function valueIn(state: object, channel: ChannelName): ChannelValue | undefined {
  return Reflect.get(state, channel) ?? undefined
}
