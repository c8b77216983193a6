import type { TokenUsage } from '../../audit/events.ts'
import type { WindowMessage } from '../../window/message.ts'
import type { StepCalls } from '../session.ts'
import type { WindowRequest } from '../window/request.ts'
import type { StepView } from './view.ts'

/** What a model call begins with. */
export interface StepOptions<Model = never> {
  /** The names of the host's own tools. */
  readonly tools: Iterable<string>
  /** Finds a model by the name that a skill gives. Default: every skill runs with the run's own. */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
  /** Returns a model's name for the audit; `undefined` stands for the run's own model. Default: none is named. */
  readonly nameOf?: ((model: Model | undefined) => string | undefined) | undefined
}

/** What a model call is about to send. */
export interface PromptRequest<Message> extends Omit<WindowRequest, 'system' | 'messages' | 'tools'> {
  /** The whole system prompt, with the instructions of the step. Default: none. */
  readonly system?: string | undefined
  /** The conversation, without system messages, in the framework's own form. */
  readonly messages: readonly Message[]
  /** Describes a message: its text as the model reads it, and what else is in it. */
  readonly describe: (message: Message) => WindowMessage
  /** Each tool that is offered, as JSON. Default: the skill tools of the step alone. */
  readonly tools?: readonly string[] | undefined
  /**
   * Makes a summary a message in the user's role, where the host keeps conversations within the model's window.
   * Default: the conversation is sent as it is.
   */
  readonly asMessage?: ((summary: string) => Message) | undefined
}

/** What a model call sends. */
export interface Prompt<Message> {
  /** The system prompt, and what the conversation has lost of active skills. */
  readonly system: string | undefined
  readonly messages: readonly Message[]
}

/**
 * A model call: what the model is shown, and what judges the calls of its answer. All calls of one message, those of
 * skill tools too, are judged by the skills that were active when the step began, so that concurrent calls are judged
 * alike in every framework; what they change counts from the next step on. Any number of steps may exist at once,
 * nested or side by side. Skills to activate are looked up when a call is carried out.
 */
export interface Step<Model = unknown> extends StepView, StepCalls {
  /** The names of the host's own tools. */
  readonly hostTools: readonly string[]
  /** The model that the active skills ask for; undefined: the run's own. */
  readonly model: Model | undefined
  /**
   * Returns what the model call is to send: the conversation, kept within the window where the host asks for that, and
   * the system prompt with what the conversation has lost of active skills. The host's own history is never changed: a
   * summary is kept in the session's state, and used again for the same history.
   * @throws the signal's reason
   */
  readonly prompt: <Message>(request: PromptRequest<Message>) => Promise<Prompt<Message>>
  /**
   * Returns the texts of those active skills whose activation is no longer in the conversation, and the guidance on how
   * to use skills if that is lost; undefined if nothing is lost. For frameworks that send the conversation
   * themselves; `prompt` has it.
   * @param isShown whether the whole text, which may be a part of a result, is in what is about to be sent
   */
  readonly reminder: (isShown: (text: string) => boolean) => Promise<string | undefined>
  /** Records the tokens that the model call took. */
  readonly recordUsage: (usage: TokenUsage) => void
}
