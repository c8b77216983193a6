import type { TokenUsage } from '../../audit/events.ts'
import type { Summarizer } from '../../ports/summarizer.ts'
import type { MeasuredTexts, WindowMemory } from '../../window/memory.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { WindowSettings } from '../../window/settings.ts'
import { type FitContext, fitWindow } from './fit.ts'

/** What a model call is about to send. */
export interface WindowRequest {
  /** The whole system prompt of the step, without a reminder. */
  readonly system: string | undefined
  /** Each tool that is offered, as JSON. */
  readonly tools: readonly string[]
  /** The conversation, one for each message of the framework's. */
  readonly messages: readonly WindowMessage[]
  /** Asks the run's model for a summary, where the host has set no other summariser. Absent: extracts are made. */
  readonly summarize?: Summarizer | undefined
  /** The provider keeps the conversation, and these messages continue it: nothing is cut. */
  readonly chained?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** What is to be sent in its place. */
export interface WindowFit {
  /** In order: the position of a message in the request, or a summary, which is sent as a message in the user's role. */
  readonly messages: readonly (number | { readonly summary: string })[]
  /** Returns a text of the system prompt without the sections of the skills that were evicted. */
  system(text: string): string
}

/** How the sessions of a repertoire keep their windows. */
export interface WindowContext {
  readonly settings: WindowSettings
  readonly memory: WindowMemory
  /** What was measured before. */
  readonly known: MeasuredTexts
}

/** The window of one session. */
export interface SessionWindow {
  readonly fit: (request: () => WindowRequest) => Promise<WindowFit | undefined>
  readonly noteUsage: (usage: TokenUsage) => void
}

/** Creates the window of one session. Without settings it changes nothing, and nothing is imported for it. */
export function createSessionWindow(
  context: Omit<FitContext, 'window'> & { readonly window: WindowContext | undefined },
): SessionWindow {
  const { window, state } = context
  if (window === undefined) return { fit: () => UNCHANGED, noteUsage: () => undefined }
  return {
    async fit(request) {
      return fitWindow({ ...context, window }, request())
    },
    noteUsage: ({ inputTokens }) => window.memory.noteUsage(state.current().id, inputTokens),
  }
}

const UNCHANGED = Promise.resolve(undefined)
