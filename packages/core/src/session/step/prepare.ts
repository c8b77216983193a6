import {
  type OptionTable,
  anyText,
  callable,
  checkOptions,
  foreign,
  functionOf,
  required,
  sessionKind,
} from '@repertoire/skill-md/internal'
import { type WindowMessage, stillRead } from '../../window/message.ts'
import type { AdapterSession } from '../session.ts'
import { sentMessages, sentSystem, type WindowRequest } from '../window/request.ts'
import { joinSystemPrompt, type StepView } from './view.ts'

/** What a model call is prepared with. */
export interface StepRequest<Message, Model = never> {
  /** The names of the host's own tools. */
  readonly hostTools: Iterable<string>
  /** The host's own system prompt. Default: none. */
  readonly system?: string | undefined
  /** The conversation, without system messages, in the framework's own form. */
  readonly messages: readonly Message[]
  /** Returns the text of a message, as the model reads it. */
  readonly textOf: (message: Message) => string
  /** Finds a model by the name that a skill gives. Default: every skill runs with the run's own. */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
  /** Returns a model's name for the audit; `undefined` stands for the run's own model. Default: the audit names none. */
  readonly nameOf?: ((model: Model | undefined) => string | undefined) | undefined
  /** Keeps the conversation within the model's window, where the host asks for it. Default: it is sent as it is. */
  readonly window?:
    | ((step: { readonly view: StepView; readonly model: Model | undefined }) => StepWindow<Message>)
    | undefined
}

/** How a conversation is kept within the model's window. */
export interface StepWindow<Message> extends Omit<WindowRequest, 'system' | 'messages'> {
  readonly describe: (message: Message) => WindowMessage
  /** Makes a summary a message in the user's role. */
  readonly asMessage: (summary: string) => Message
  /** Whether the provider has summarised what stands before a message. Default: it never does. */
  readonly isCompaction?: ((message: Message) => boolean) | undefined
}

/** What a model call is made with. */
export interface PreparedStep<Message, Model = never> {
  /** What the model is shown: the skill tools, and which of the host's tools are hidden. */
  readonly view: StepView
  /** The model that the active skill asks for; undefined: the run's own. */
  readonly model: Model | undefined
  /** The whole system prompt: the host's own, the skills, and what the conversation has lost of them. */
  readonly system: string | undefined
  /** The messages to send. */
  readonly messages: readonly Message[]
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const STEP_REQUEST_OPTIONS: OptionTable<StepRequest<unknown, unknown>> = {
  hostTools: required(foreign("the names of the host's tools", isIterable)),
  system: anyText,
  messages: required(foreign('a list of messages', Array.isArray)),
  textOf: required(functionOf('a function that returns the text of a message')),
  resolveModel: callable,
  nameOf: callable,
  window: callable,
}

/**
 * Prepares a model call: makes every call of the session that has to come before it, in their order. For adapters of
 * frameworks that build the whole request in one place.
 * @throws {TypeError} as `beginStep`; an option is unknown or has the wrong type
 * @throws what `resolveModel` throws; the signal's reason
 */
export async function prepareStep<Message, Model = never>(
  session: AdapterSession,
  request: StepRequest<Message, Model>,
): Promise<PreparedStep<Message, Model>> {
  checkOptions('prepareStep', { session: required(sessionKind) }, { session })
  checkOptions('prepareStep', STEP_REQUEST_OPTIONS as OptionTable<StepRequest<Message, Model>>, request)
  const { messages: conversation, textOf, resolveModel, nameOf } = request
  const model = session.skillModel(resolveModel)
  await session.ready()
  const view = session.beginStep(request.hostTools, { model: nameOf?.(model) })
  const whole = view.system(request.system)
  const window = request.window?.({ view, model })
  const fit =
    window &&
    (await session.fitWindow(() => {
      const { describe, asMessage: _, isCompaction: __, ...others } = window
      return { ...others, system: whole, messages: conversation.map(describe) }
    }))
  const messages = window ? sentMessages(fit, conversation, window.asMessage) : conversation
  const shown = whole && sentSystem(fit, whole)
  const read = stillRead(messages, window?.isCompaction ?? (() => false))
  const reminder = await session.reminder(
    (text) => shown?.includes(text) === true || read.some((message) => textOf(message).includes(text)),
  )
  return { view, model, system: joinSystemPrompt(shown, reminder), messages }
}
