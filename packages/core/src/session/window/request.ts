import type { Summarizer } from '../../ports/summarizer.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { Lifetime } from '../lifetime.ts'
import type { SessionParts } from '../context.ts'
import type { WindowContext } from '../../window/memory.ts'
import type { ShownSection } from '../step/view.ts'

/** What a window is kept with. */
export interface FitContext extends SessionParts {
  readonly window: WindowContext
  readonly lifetime: Lifetime
  /** The sections of the step's skills that are not active. */
  readonly sections: () => readonly ShownSection[]
}

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

/**
 * Returns the messages that are sent, in a framework's own form. For adapters.
 * @param asMessage makes a summary a message in the user's role
 */
export function sentMessages<Message>(
  fit: WindowFit | undefined,
  messages: readonly Message[],
  asMessage: (summary: string) => Message,
): readonly Message[] {
  if (fit === undefined) return messages
  return fit.messages.map((each) => (typeof each === 'number' ? messages[each]! : asMessage(each.summary)))
}
