import { ReducedValue, StateSchema } from '@langchain/langgraph'
import type { Repertoire, SavedSession } from '@repertoire/core'
import type { SealedChanges } from '@repertoire/core/adapter'
import { z } from 'zod'

/** The names of a session's channels in the graph's state. */
export interface Channels {
  /**
   * The saved session. Updates are changes, so that concurrent calls can be merged; they are sealed, since a
   * checkpointer stores those of a suspended run next to the state.
   */
  readonly session: `_${string}`
  /** The names of the host's tools that the model was last shown. */
  readonly tools: `_${string}`
  /** The name of the model that was last called. */
  readonly model: `_${string}`
}

/** The schema of the channels. */
export type SkillsState = StateSchema<{
  readonly [channel: `_${string}`]:
    | ReducedValue<SavedSession | null, SealedChanges>
    | z.ZodType<readonly string[]>
    | z.ZodType<string | undefined>
}>

/** The default name of the middleware. */
export const DEFAULT_NAME = 'repertoire'

/** LangChain excludes channels whose name begins with `_` from the input and output of `invoke`. */
export function channelsOf(name: string): Channels {
  return { session: `_${name}`, tools: `_${name}_tools`, model: `_${name}_model` }
}

/** Declares the channels. `null` means "no session yet": without a value, LangGraph would use the first update as the value. */
export function skillsState(repertoire: Repertoire, channels: Channels): SkillsState {
  return new StateSchema({
    [channels.session]: new ReducedValue<SavedSession | null, SealedChanges>(
      z.custom<SavedSession | null>().default(null),
      {
        inputSchema: z.custom<SealedChanges>(),
        // LangChain returns the state that a hook has received as an update: anything but a sealed list of changes is
        // ignored.
        reducer: (saved, changes) =>
          Array.isArray(changes?.changes) ? (repertoire.advance(saved ?? undefined, changes) ?? null) : saved,
      },
    ),
    [channels.tools]: z.custom<readonly string[]>().default([]),
    [channels.model]: z.custom<string | undefined>().optional(),
  })
}
