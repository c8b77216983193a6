import { checkOptions, required, sessionKind } from '@repertoire/skill-md/internal'
import type { ConsentHandler, ConsentRequest } from '../ports/consent.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { Session, StepCalls, TurnOptions } from './session.ts'
import type { SavedSession } from './state/seal.ts'
import type { SessionState, StoredMark } from './state/state.ts'
import type { Step, StepOptions } from './step/step.ts'
import type { StepView } from './step/view.ts'
import type { Turn } from './turn/turn.ts'

/**
 * A session as an adapter sees it: with its state, its turns and steps, and what a framework needs that suspends,
 * offers tools or keeps the state itself. Its own calls are judged by the skills that are active now, under the tools
 * of the step that began last.
 */
export interface AdapterSession extends Session, StepCalls {
  readonly state: SessionState
  /**
   * Begins a model call: loads what active skills bring, and returns what the model is shown and what judges the calls
   * of its answer. A run that goes on in a fresh process begins with one too.
   * @throws {TypeError} an option is not right, a host tool has the name of a skill tool, or `toolMap` says that one
   * stands for a tool of the host's own
   * @throws what `resolveModel` throws
   */
  readonly step: <Model = never>(options: StepOptions<Model>) => Promise<Step<Model>>
  /**
   * Returns what a step would show now, and the model that it would be made with. For frameworks that take their tools
   * before anything can be awaited.
   * @throws as `step`
   */
  readonly view: <Model = never>(options: StepOptions<Model>) => StepView & Pick<Step<Model>, 'model'>
  /**
   * Begins a turn: a message of the person, before the first model call that answers it. Carries out `/name args` where
   * that is a skill, and suggests or activates the skills whose triggers the message matches. The model is to be shown
   * `text` of the result, directly after the message. Call it once for each message; where the result `waits`, once
   * more after the answer.
   * @param message the text of the message
   * @throws the signal's reason
   */
  readonly beginTurn: (message: string, options?: TurnOptions) => Promise<Turn>
  /** Whether a message is a person's `/name` of a skill that they can see, which `beginTurn` would carry out. */
  readonly invokes: (message: string) => boolean
  /**
   * Does work that may wait for consent and begins nothing, such as `preview`. As long as it waits, a function is
   * asked, as strictly and with the same time limit as the session's own handler, and one request at a time; then the
   * work is done again. For frameworks whose approval is a function.
   * @throws what the work throws; the signal's reason, where it aborts first: the request is then dropped
   */
  readonly ask: <T extends { readonly waits?: ConsentRequest | undefined }>(
    work: () => Promise<T>,
    handler: ConsentHandler,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<T>
  /**
   * Runs a function that asks a person something of the framework's own, such as an approval of a tool. It is called
   * once all questions that this session and its forks have asked before are answered. For adapters.
   * @throws {SkillError} TIMED_OUT: there is no answer within `consent.timeout`; SESSION_ENDED
   * @throws what the function throws; the signal's reason
   */
  readonly question: <T>(
    ask: (options: { readonly signal: AbortSignal }) => T | PromiseLike<T>,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<T>
  /** Reports a problem of the framework to the host, as the session's own are reported. */
  readonly reportProblem: (problem: SessionProblem) => void
  /** Whether anything has happened in the session since it was opened, or saved last. */
  readonly hasChanged: () => boolean
  /** @param stored where it is stored: what is saved is nothing in any other place */
  readonly save: (stored?: StoredMark) => SavedSession
}

/**
 * Returns a session with what only adapters need: its state, turns, steps, consent in two phases and the rest of
 * `AdapterSession`. It is the same object.
 * @throws {TypeError} it is not a session
 */
export function adapterSession(session: Session): AdapterSession {
  checkOptions('adapterSession', { session: required(sessionKind) }, { session })
  return session as AdapterSession
}
