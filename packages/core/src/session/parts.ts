import type { CatalogView } from '../catalog/view.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import type { ActivationContext } from './activation/activate.ts'
import { createRunActivation, type RunActivation } from './activation/run.ts'
import { type ConsentRequests, createConsentRequests } from './calls/consent-requests.ts'
import { createSkillCalls, type SkillCalls } from './calls/skill-calls.ts'
import { createToolCalls, type ToolCalls } from './calls/tool-calls.ts'
import type { SessionContext } from './context.ts'
import { createExecutions } from './execution/executions.ts'
import { createForks, type Forks, type ForksContext } from './fork/forks.ts'
import { createLifetime, type Lifetime } from './lifetime.ts'
import { type Beginning, createStateHolder, type StateHolder } from './state/holder.ts'
import type { ActiveSkill } from './state/state.ts'
import { createSteps, type Steps } from './step/begin.ts'
import { createSkillModels, type SkillModels } from './step/skill-model.ts'
import { createTurnMatcher, type TurnMatcher } from './turn/match-turn.ts'
import { createPerson, type Person } from './turn/person.ts'
import { createSessionWindow, type SessionWindow } from './window/window.ts'

/** What a session may see of the current catalog. */
export interface SessionViews {
  /** What is shown to the model. */
  readonly model: () => CatalogView
  /** What a person may name: also what is not shown to models. */
  readonly person: () => CatalogView
}

/** What a session begins with. */
export interface Opening {
  readonly beginning: Beginning
  /** Aborted where nothing may begin any more: of a fork, with the session above. */
  readonly until: AbortSignal | undefined
}

/** Opens the session of a fork. */
export type OpenChild = (
  parent: SessionParts,
  ...child: Parameters<ForksContext['openChild']>
) => ReturnType<ForksContext['openChild']>

/**
 * The parts of an open session. Frameworks open one for every hook, of which each uses some of them: the others are never
 * made. A class for the same reason: a closure of its own for each part and method takes longer to make than most hooks
 * take.
 */
export class SessionParts {
  // All private: what prints a session must not print the host's key.
  readonly #context: SessionContext
  readonly #views: SessionViews
  readonly #openChild: OpenChild
  readonly #state: StateHolder
  readonly #lifetime: Lifetime
  readonly #view: CatalogView
  #models: SkillModels | undefined
  readonly #steps: Steps
  #skillCalls: SkillCalls | undefined
  #forks: Forks | undefined
  #runActivation: RunActivation | undefined
  #toolCalls: ToolCalls | undefined
  #window: SessionWindow | undefined
  #matcher: TurnMatcher | undefined
  #person: Person | undefined
  #consentRequests: ConsentRequests | undefined

  constructor(context: SessionContext, views: SessionViews, { beginning, until }: Opening, openChild: OpenChild) {
    this.#context = context
    this.#views = views
    this.#openChild = openChild
    this.#state = createStateHolder(beginning)
    this.#lifetime = createLifetime(this.#state, until)
    this.#view = new CurrentView(views)
    this.#steps = createSteps(this)
  }

  get context(): SessionContext {
    return this.#context
  }

  get views(): SessionViews {
    return this.#views
  }

  get state(): StateHolder {
    return this.#state
  }

  get lifetime(): Lifetime {
    return this.#lifetime
  }

  get view(): CatalogView {
    return this.#view
  }

  get models(): SkillModels {
    return (this.#models ??= createSkillModels(this))
  }

  get steps(): Steps {
    return this.#steps
  }

  get skillCalls(): SkillCalls {
    return (this.#skillCalls ??= createSkillCalls(this.#ofStep()))
  }

  get toolCalls(): ToolCalls {
    return (this.#toolCalls ??= createToolCalls(this))
  }

  get consentRequests(): ConsentRequests {
    return (this.#consentRequests ??= createConsentRequests(this))
  }

  get forks(): Forks {
    const { context, state, lifetime } = this
    return (this.#forks ??= createForks({
      context,
      state,
      lifetime,
      openChild: (...child) => this.#openChild(this, ...child),
    }))
  }

  get runActivation(): RunActivation {
    return (this.#runActivation ??= createRunActivation(
      this.lifetime,
      this.forks,
      createExecutions({ ...this.#ofStep(), lifetime: this.lifetime }),
    ))
  }

  get window(): SessionWindow {
    const { context, state, lifetime, steps } = this
    return (this.#window ??= createSessionWindow({
      context,
      window: context.window,
      state,
      lifetime,
      sections: () => steps.sections(),
      removal: this.activation,
    }))
  }

  get matcher(): TurnMatcher {
    return (this.#matcher ??= createTurnMatcher(this))
  }

  get person(): Person {
    const { activation, views, lifetime, runActivation, matcher } = this
    return (this.#person ??= createPerson({ activation, ...views, lifetime, runActivation, matcher }))
  }

  /** What no message of the model requests is judged by the current stack. */
  get activation(): ActivationContext & { readonly context: SessionContext } {
    const { context, state, steps } = this
    return { context, state, active: () => state.current().active, hostTools: () => steps.hostTools() }
  }

  /** What the calls of a message see: the stack when its step began. */
  #ofStep(): {
    readonly context: SessionContext
    readonly state: StateHolder
    readonly view: CatalogView
    readonly active: () => readonly ActiveSkill[]
    readonly hostTools: () => readonly string[] | undefined
  } {
    const { context, state, view, steps } = this
    return { context, state, view, active: () => steps.active(), hostTools: () => steps.hostTools() }
  }
}

/**
 * The catalog as it is when a skill is looked up, and not as the step showed it: a call may have waited for days, in
 * another process, and what is gone by then is not activated from memory.
 */
class CurrentView implements CatalogView {
  readonly #views: Pick<SessionViews, 'model'>

  constructor(views: Pick<SessionViews, 'model'>) {
    this.#views = views
  }

  list(): readonly Skill[] {
    return this.#views.model().list()
  }

  find(name: string): Skill | undefined {
    return this.#views.model().find(name)
  }
}
