import { checkOptions } from '@repertoire/skill-md/internal'
import { type WindowMessage, stillRead } from '../../window/message.ts'
import { checkArguments, PROMPT_OPTIONS, readStepOptions } from '../call-arguments.ts'
import type { SessionContext } from '../context.ts'
import type { SkillCallScope } from '../requested-skill.ts'
import type { StepCalls } from '../session.ts'
import { loadProvided } from '../toolsets/provided-tools.ts'
import { type ReadInstructions, readInstructions } from '../turn/reminder.ts'
import { loadMatched } from '../turn/match-turn.ts'
import { fitWindow } from '../window/fit.ts'
import { AS_IT_IS, type FittedWindow, sentMessages, sentSystem } from '../window/request.ts'
import { beginStep, findSkillModel } from './begin.ts'
import { recordShown } from './shown-steps.ts'
import type { Prompt, PromptRequest, Step, StepOptions } from './step.ts'
import { joinSystemPrompt } from './view.ts'

/** Counts the steps of all sessions, so that none has the message of another. */
let stepCount = 0

/**
 * Begins a model call.
 * @param session with the current stack
 * @param callsIn returns the calls that are judged in a scope
 */
export async function openStep<Model>(
  session: SkillCallScope,
  callsIn: (scope: SkillCallScope) => StepCalls,
  options: StepOptions<Model>,
): Promise<Step<Model>> {
  const { tools, resolveModel, nameOf } = readStepOptions('step', options)
  const model = findSkillModel(session, resolveModel)
  const modelName = nameOf?.(model)
  await Promise.all([loadProvided(session.context, session.active()), loadMatched(session)])
  const { state } = session
  // The same list for the same names.
  const toolset = session.context.tools.of(tools)
  const hostTools = toolset.names ?? tools
  const { active } = state.current()
  const audit = session.context.audit?.ofStep({ model: modelName, active, tools: toolset })
  const context: SessionContext = { ...session.context, audit }
  const scope = {
    ...session,
    context,
    active: () => active,
    hostTools: () => hostTools,
    message: `step ${++stepCount}`,
  }
  const begun = beginStep(scope, toolset, hostTools)
  let isRecorded = audit === undefined

  /** Records the step, once: a model call that is tried again is the same step. */
  async function record(shown: Parameters<typeof recordShown>[2]): Promise<void> {
    if (isRecorded || audit === undefined) return
    isRecorded = true
    await recordShown({ ...scope, audit }, begun, shown)
  }

  const read = (isShown: (text: string) => boolean): Promise<ReadInstructions> =>
    readInstructions(context, { active: state.current().active, hostTools }, isShown)

  async function prompt<Message>(request: PromptRequest<Message>): Promise<Prompt<Message>> {
    checkOptions('prompt', PROMPT_OPTIONS as never, request)
    const { system, messages, describe, asMessage, ...others } = request
    const { tools: offered = begun.view.tools.map((tool) => JSON.stringify(tool)) } = request
    const { window } = context
    let described: readonly WindowMessage[] | undefined
    const descriptions = (): readonly WindowMessage[] => (described ??= messages.map(describe))
    const isMeasured = window !== undefined || !isRecorded
    const whole = isMeasured ? { ...others, system, tools: offered, messages: descriptions() } : undefined
    const fit = window && { ...scope, window, sections: begun.sections, hostTools }
    const fitted = fit && whole && asMessage ? await fitWindow(fit, whole) : AS_IT_IS
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
