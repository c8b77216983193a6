import type { Instructions, ModelMessage } from 'ai'
import { partsOf } from '../parts.ts'
import type { StepOptions as NewerStep } from '../step.ts'
import type { System } from './fork.ts'
import type { StepOptions } from './settings.ts'

/** The messages that a run begins with, as they are sent: the turn of a person's message adds to them. */
interface Begun {
  /** How many messages the framework passed to the first step. */
  readonly count: number
  readonly messages: readonly ModelMessage[]
}

type NewerPrepare = (options: NewerStep) => Promise<object>
interface Prepared {
  readonly instructions?: Instructions
  readonly messages?: ModelMessage[]
  readonly system?: System
}

/**
 * Prepares steps of version 6 as version 7 does. There, the messages that a step returns hold for later steps too, and
 * the system prompt of the run and the messages that it began with are passed to every step.
 */
export function everyStep(prepare: NewerPrepare, system: System | undefined) {
  // By the steps of a run, which are one list.
  const runs = new WeakMap<object, Begun>()
  return async (options: StepOptions): Promise<object> => {
    if ('initialMessages' in options) {
      throw new TypeError('This is version 7 of the AI SDK. Import from "@repertoire/ai-sdk", without "/v6".')
    }
    const { steps, stepNumber } = options
    const begun = runs.get(steps)
    const messages =
      begun === undefined ? options.messages : [...begun.messages, ...options.messages.slice(begun.count)]
    const { instructions, ...prepared } = (await prepare({
      ...options,
      // A copy: what a host's `prepareStep` returns holds for one step here.
      steps: [...steps],
      messages,
      initialMessages: messagesAtBegin(options.messages),
      instructions: system,
      initialInstructions: system,
      toolsContext: undefined,
      runtimeContext: undefined,
    } as unknown as NewerStep)) as Prepared
    const sent = prepared.messages ?? messages
    if (stepNumber === 0) runs.set(steps, { count: options.messages.length, messages: sent })
    return { ...prepared, messages: sent, ...(instructions !== undefined && { system: instructions }) }
  }
}

/** The messages of the first step without the results of the calls that a person has approved before the run. */
function messagesAtBegin(messages: readonly ModelMessage[]): ModelMessage[] {
  const answered = partsOf(messages.at(-2)).some(({ type }) => type === 'tool-approval-response')
  return answered ? messages.slice(0, -1) : [...messages]
}
