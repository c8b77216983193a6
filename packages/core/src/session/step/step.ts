import { checkOptions } from '@repertoire/skill-md/internal'
import type { CatalogView } from '../../catalog/view.ts'
import type { TokenUsage } from '../../audit/events.ts'
import { type WindowMessage, stillRead } from '../../window/message.ts'
import { checkArguments, PROMPT_OPTIONS, readStepOptions } from '../call-arguments.ts'
import type { SessionContext, SessionParts } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import type { StepCalls } from '../session.ts'
import { loadProvided } from '../toolsets/provided-tools.ts'
import { type ReadInstructions, readInstructions } from '../turn/reminder.ts'
import { fitWindow } from '../window/fit.ts'
import { AS_IT_IS, type FittedWindow, type WindowRequest, sentMessages, sentSystem } from '../window/request.ts'
import { beginStep, findSkillModel } from './begin.ts'
import { recordShown } from './shown-steps.ts'
import { joinSystemPrompt, type StepView } from './view.ts'

/** What a model call begins with. */
export interface StepOptions<Model = never> {
  /** The names of the host's own tools. */
  readonly tools: Iterable<string>
  /** Finds a model by the name that a skill gives. Default: every skill runs with the run's own. */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
  /** Returns a model's name for the audit; `undefined` stands for the run's own model. Default: the audit names none. */
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
  /** Each tool that is offered, as JSON. Default: those of the step, which are then not counted. */
  readonly tools?: readonly string[] | undefined
  /**
   * Makes a summary a message in the user's role, where the host keeps conversations within the model's window. Default:
   * the conversation is sent as it is.
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
 * A model call: what the model is shown, and what judges the calls of its answer. All calls of one message, those of skill
 * tools too, are judged by the skills that were active when the step began, so that concurrent calls are judged alike in
 * every framework; what they change counts from the next step on. Any number of steps may exist at once, nested or side by
 * side. Skills to activate are looked up when a call is carried out.
 */
export interface Step<Model = never> extends StepView, StepCalls {
  /** The names of the host's own tools. */
  readonly hostTools: readonly string[]
  /** The model that the active skills ask for; undefined: the run's own. */
  readonly model: Model | undefined
  /**
   * Returns what the model call is to send: the conversation, kept within the window where the host asks for that, and the
   * system prompt with what the conversation has lost of active skills. The host's own history is never changed: a summary
   * is kept in the session's state, and used again for the same history.
   * @throws the signal's reason
   */
  readonly prompt: <Message>(request: PromptRequest<Message>) => Promise<Prompt<Message>>
  /**
   * Returns the texts of those active skills whose activation is no longer in the conversation, and the guidance on how to
   * use skills where that is lost; undefined where nothing is lost. For frameworks that send the conversation themselves;
   * `prompt` has it.
   * @param isShown whether the whole text, which may be a part of a result, is in what is about to be sent
   */
  readonly reminder: (isShown: (text: string) => boolean) => Promise<string | undefined>
  /** Records the tokens that the model call took. */
  readonly recordUsage: (usage: TokenUsage) => void
}

/** What steps are made of. */
interface StepNeeds extends SessionParts {
  readonly lifetime: Lifetime
  /** What is shown to the model. */
  readonly view: CatalogView
  /** Returns the calls that are judged in a scope. */
  readonly callsIn: (scope: SkillCallScope) => StepCalls
}

/** Counts the steps of all sessions, so that none has the message of another. */
let stepCount = 0

/**
 * Begins a model call.
 * @param loadMatched loads what is shown of the skills that fit the person's message
 */
export async function openStep<Model>(
  needs: StepNeeds,
  options: StepOptions<Model>,
  loadMatched: () => Promise<void>,
): Promise<Step<Model>> {
  const { tools, resolveModel, nameOf } = readStepOptions('step', options)
  const { context, state } = needs
  const model = findSkillModel(needs, resolveModel)
  await Promise.all([loadProvided(context, state.current().active), loadMatched()])
  return stepOf(needs, tools, model, nameOf?.(model))
}

function stepOf<Model>(
  needs: StepNeeds,
  names: readonly string[],
  model: Model | undefined,
  modelName: string | undefined,
): Step<Model> {
  const { state, lifetime, view, callsIn } = needs
  // The same list for the same names.
  const toolset = needs.context.tools.of(names)
  const hostTools = toolset.names ?? names
  const { active } = state.current()
  const audit = needs.context.audit?.ofStep({ model: modelName, active, tools: toolset })
  const context: SessionContext = { ...needs.context, audit }
  const begun = beginStep({ ...needs, context }, lifetime, toolset, hostTools)
  const scope = {
    context,
    state,
    view,
    active: () => active,
    hostTools: () => hostTools,
    message: `step ${++stepCount}`,
  }
  let isRecorded = audit === undefined

  /** Records the step, once: a model call that is tried again is the same step. */
  async function record(shown: Parameters<typeof recordShown>[2]): Promise<void> {
    if (isRecorded || audit === undefined) return
    isRecorded = true
    await recordShown({ context, state, audit }, begun, shown)
  }

  const read = (isShown: (text: string) => boolean): Promise<ReadInstructions> =>
    readInstructions(context, { active: state.current().active, hostTools }, isShown)

  async function prompt<Message>(request: PromptRequest<Message>): Promise<Prompt<Message>> {
    checkOptions('prompt', PROMPT_OPTIONS as never, request)
    const { system, messages, describe, tools, asMessage, ...others } = request
    const { window } = context
    let described: readonly WindowMessage[] | undefined
    const descriptions = (): readonly WindowMessage[] => (described ??= messages.map(describe))
    const isMeasured = window !== undefined || !isRecorded
    const whole = isMeasured && tools ? { ...others, system, tools, messages: descriptions() } : undefined
    const fit = { context, window: window!, state, lifetime, sections: begun.sections, hostTools }
    const isKept = window !== undefined && asMessage !== undefined
    const fitted = isKept && whole ? await fitWindow(fit, whole) : AS_IT_IS
    const shown = system && sentSystem(fitted.fit, system)
    const isShown = (text: string): boolean =>
      shown?.includes(text) === true || readOf(descriptions(), fitted).some((each) => each.includes(text))
    const instructions = await read(isShown)
    await record({ system, sent: whole && { request: whole, fitted }, read: instructions })
    return {
      system: joinSystemPrompt(shown, instructions.reminder),
      messages: asMessage === undefined ? messages : sentMessages(fitted.fit, messages, asMessage),
    }
  }

  return {
    ...begun.view,
    ...callsIn(scope),
    hostTools,
    model,
    prompt,
    async reminder(isShown) {
      checkArguments('reminder', { isShown })
      const instructions = await read(isShown)
      await record({ system: begun.view.system(undefined), sent: undefined, read: instructions })
      return instructions.reminder
    },
    recordUsage(usage) {
      checkArguments('recordUsage', { usage })
      audit?.recordUsage(usage)
    },
  }
}

/** The texts of the messages that are sent and that the model still reads. */
function readOf(messages: readonly WindowMessage[], { fit }: FittedWindow): readonly string[] {
  const sent = fit?.messages.map((each) => (typeof each === 'number' ? messages[each]! : { text: each.summary }))
  return stillRead<Pick<WindowMessage, 'text' | 'compaction'>>(sent ?? messages).map(({ text }) => text)
}
