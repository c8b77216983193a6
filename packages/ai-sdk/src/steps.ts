import type { AdapterSession, Step } from '@repertoire/core/adapter'
import type { LanguageModel } from 'ai'

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<LanguageModel>

/** The steps of the runs that are made with one set of settings. */
export interface Steps {
  readonly session: AdapterSession
  /** Begins the step of a model call. @param model the one that the host chose */
  readonly begin: (hostTools: readonly string[], model: LanguageModel) => Promise<SkillStep>
  /** Returns the step whose calls are carried out. Calls that a person has approved may come before the first. */
  readonly current: () => Promise<SkillStep>
  /** Leaves the step: calls that waited for a person are judged by what has happened since. */
  readonly leave: () => void
}

/** Creates the steps of a session for one set of host tools. */
export function createSteps(
  session: AdapterSession,
  hostTools: readonly string[],
  resolveModel: ((name: string) => LanguageModel | undefined) | undefined,
): Steps {
  let current: Promise<SkillStep> | undefined
  const begin = (tools: readonly string[], own?: LanguageModel): Promise<SkillStep> => {
    const begun = session.step({ tools, resolveModel, nameOf: (model = own) => nameOf(model) })
    // The next call tries again.
    begun.catch(() => {
      if (current === begun) current = undefined
    })
    return (current = begun)
  }
  return {
    session,
    begin,
    current: () => current ?? begin(hostTools),
    leave: () => void (current = undefined),
  }
}

function nameOf(model: LanguageModel | undefined): string | undefined {
  return typeof model === 'object' ? model.modelId : model
}
