import type { CatalogView } from '../../catalog/view.ts'
import { checkToolNames } from '../calls/check-tool-names.ts'
import { enforcedPolicy } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { StepOptions } from '../session.ts'
import type { StateHolder } from '../state/holder.ts'
import { type ActiveSkill, isFork } from '../state/state.ts'
import { broughtTools } from '../toolsets/brought-tools.ts'
import { offeredTools } from '../toolsets/offered-tools.ts'
import { reportCounting } from './counting.ts'
import type { SkillModels } from './skill-model.ts'
import { reportUnmatchedPolicy } from './policy-fit.ts'
import { type ShownSection, type StepView, viewStep } from './view.ts'
import type { Step } from './step.ts'

/** What steps are made with. */
export interface StepsContext {
  readonly context: Step['context'] &
    Pick<SessionContext, 'hostTools' | 'gate' | 'audit' | 'toolsets' | 'reportProblem' | 'modelReports'> &
    Partial<Pick<SessionContext, 'listCounting' | 'window'>>
  readonly state: Pick<StateHolder, 'current'>
  readonly lifetime: Pick<Lifetime, 'hasEnded'>
  readonly models: Pick<SkillModels, 'reportUnasked'>
  /** What is shown to the model. */
  readonly view: Pick<CatalogView, 'list'>
}

/** The steps of a session, each a model call, and what the calls of its answer are judged by. */
export interface Steps {
  readonly begin: (hostTools: Iterable<string>, options?: StepOptions) => StepView
  /** Returns the stack when the step began; before the first step, the current one. */
  readonly active: () => readonly ActiveSkill[]
  /** Returns the names of the host's tools in this step; undefined where they are not known yet. */
  readonly hostTools: () => readonly string[] | undefined
  /** Identifies the message that the step's model call answers with; undefined before the first step. */
  readonly message: () => string | undefined
  /** Returns the sections of the skills that are not active, as the step shows them. */
  readonly sections: () => readonly ShownSection[]
}

/** Counts the steps of all sessions, so that none has the message of another. */
let stepCount = 0

/** Creates the steps of one session. */
export function createSteps(steps: StepsContext): Steps {
  return new SessionSteps(steps)
}

/** A class, since frameworks open a session for every call. */
class SessionSteps implements Steps {
  readonly #steps: StepsContext
  #hostTools: readonly string[] | undefined
  #stack: readonly ActiveSkill[] | undefined
  #sections: (() => readonly ShownSection[]) | undefined
  #hasJudgedPolicy = false
  #message: string | undefined

  constructor(steps: StepsContext) {
    this.#steps = steps
    this.#hostTools = steps.context.hostTools
  }

  begin(names: Iterable<string>, { model }: StepOptions = {}): StepView {
    const { context, state, lifetime, view } = this.#steps
    const given = [...names]
    // The same list for the same names.
    const toolset = context.tools.of(given)
    const tools = toolset.names ?? given
    this.#hostTools = tools
    const skills = view.list()
    checkToolNames(tools, context, skills)
    const { active, matched, granted } = state.current()
    const id = (): string => state.current().id
    this.#stack = active
    this.#message = `step ${++stepCount}`
    if (active.length > 0) this.#steps.models.reportUnasked()
    if (!this.#hasJudgedPolicy && tools.length > 0) {
      this.#hasJudgedPolicy = true
      // A fork has the policy of the session above, and often fewer tools.
      if (!isFork({ active })) reportUnmatchedPolicy(context, tools, id)
    }
    if (lifetime.hasEnded() && !isFork({ active })) reportEndedEarly(context, id)
    context.audit?.beginStep(model, active, toolset)
    const policy = enforcedPolicy(active, context.gate)
    const brought = offeredTools(context, broughtTools(context, active, tools))
    const shown = lifetime.hasEnded() ? [] : skills
    const { view: shownView, sections } = viewStep({
      context,
      skills: shown,
      hostTools: tools,
      active,
      policy,
      brought,
      matched,
      granted,
    })
    reportCounting(context, id)
    this.#sections = sections
    return shownView
  }

  active(): readonly ActiveSkill[] {
    return this.#stack ?? this.#steps.state.current().active
  }

  hostTools(): readonly string[] | undefined {
    return this.#hostTools
  }

  message(): string | undefined {
    return this.#message
  }

  sections(): readonly ShownSection[] {
    return this.#sections?.() ?? []
  }
}

/** A model call of a run that outlives its session, as of a stream that nobody awaits: once for each session. */
function reportEndedEarly(
  { modelReports, reportProblem }: Pick<SessionContext, 'modelReports' | 'reportProblem'>,
  session: () => string,
): void {
  if (!modelReports.isFirst(session(), 'ended()')) return
  reportProblem({
    code: 'SESSION_ENDED_EARLY',
    message:
      'The session ended before its run: the model is shown no skills, and every call is refused. Return from `runTask`, or end the session, only when the run is done: await the end of a stream.',
  })
}
