import type { AdapterSession, Step } from '@repertoire/core/adapter'
import type { LanguageModel } from 'ai'

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<LanguageModel>

/** The steps of the runs that are made with one set of settings, also of several at the same time. */
export interface Steps {
  readonly session: AdapterSession
  /** Begins the step of a model call. @param model the one that the host chose */
  readonly begin: (hostTools: readonly string[], model: LanguageModel) => Promise<SkillStep>
  /** Notes that the answer of a step makes a call. */
  readonly note: (callId: string, step: SkillStep) => void
  /** Returns the step of a call. A call that a person has approved may come before the first. */
  readonly of: (callId: string) => Promise<SkillStep>
  /**
   * Leaves the step of a call that has waited for a person: what has happened since judges it.
   * @param answers the message with the answer: the calls that it answers have one step
   */
  readonly leave: (callId: string, answers: object) => void
}

/** Creates the steps of a session for one set of host tools. */
export function createSteps(
  session: AdapterSession,
  hostTools: readonly string[],
  resolveModel: ((name: string) => LanguageModel | undefined) | undefined,
): Steps {
  const calls = new Map<string, SkillStep>()
  const left = new WeakSet<object>()
  let last: Promise<SkillStep> | undefined
  const begin = (tools: readonly string[], own?: LanguageModel): Promise<SkillStep> => {
    const begun = session.step({ tools, resolveModel, nameOf: (model = own) => nameOf(model) })
    // The next call tries again.
    begun.catch(() => {
      if (last === begun) last = undefined
    })
    return (last = begun)
  }
  return {
    session,
    begin,
    note: (callId, step) => void calls.set(callId, step),
    of: async (callId) => calls.get(callId) ?? (await (last ?? begin(hostTools))),
    leave(callId, answers) {
      calls.delete(callId)
      if (!left.has(answers)) last = undefined
      left.add(answers)
    },
  }
}

function nameOf(model: LanguageModel | undefined): string | undefined {
  return typeof model === 'object' ? model.modelId : model
}
