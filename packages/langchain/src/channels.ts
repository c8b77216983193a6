import { ReducedValue, StateSchema } from '@langchain/langgraph'
import type { Repertoire, SavedSession } from '@repertoire/core'
import type { SealedChanges } from '@repertoire/core/adapter'
import { z } from 'zod'

/** A session's place in the graph's state, as one middleware names it. */
export interface Channels {
  /**
   * Holds the saved session. Updates are changes, so that calls which ran side by side are merged; sealed, since a
   * checkpointer keeps those of a run that waits beside the state.
   */
  readonly session: `_${string}`
  /** Holds the names of the host's tools as the model was last shown them. */
  readonly tools: `_${string}`
  /** Holds the name of the model that was last called. */
  readonly model: `_${string}`
}

/** The schema of the channels. */
export type SkillsState = StateSchema<{
  readonly [channel: `_${string}`]:
    | ReducedValue<SavedSession | null, SealedChanges>
    | z.ZodType<readonly string[]>
    | z.ZodType<string | undefined>
}>

/** The name of a middleware, where the host gives none. */
export const DEFAULT_NAME = 'repertoire'

/** LangChain keeps channels whose name begins with `_` out of what `invoke` takes and of what it returns. */
export function channelsOf(name: string): Channels {
  return { session: `_${name}`, tools: `_${name}_tools`, model: `_${name}_model` }
}

/** Declares the channels. `null` stands for "no session yet", since LangGraph takes the first update for the value where there is none. */
export function skillsState(repertoire: Repertoire, channels: Channels): SkillsState {
  return new StateSchema({
    [channels.session]: new ReducedValue<SavedSession | null, SealedChanges>(
      z.custom<SavedSession | null>().default(null),
      {
        inputSchema: z.custom<SealedChanges>(),
        // LangChain gives the state that a hook was shown back as an update: what is not a sealed list of changes changes nothing.
        reducer: (saved, changes) =>
          Array.isArray(changes?.changes) ? (repertoire.advance(saved ?? undefined, changes) ?? null) : saved,
      },
    ),
    [channels.tools]: z.custom<readonly string[]>().default([]),
    [channels.model]: z.custom<string | undefined>().optional(),
  })
}
