import type { CatalogView } from '../../catalog/view.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { PostHookContext } from '../activation/hooks.ts'
import type { PreparationContext, PreparedActivation } from '../activation/prepare.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { ExecutionContext } from './request.ts'
import { executePrepared } from './execute-prepared.ts'

/** A prepared skill that is to be executed. */
export interface RequestedExecution {
  readonly prepared: PreparedActivation
  /** The stack of the step that requests it. */
  readonly active: readonly ActiveSkill[]
}

/** What a session's executions work with. */
export interface ExecutionsContext {
  readonly context: PreparationContext['context'] &
    PostHookContext['context'] &
    ExecutionContext &
    Pick<SessionContext, 'cwd' | 'listing' | 'scripts' | 'use' | 'questions' | 'task'>
  readonly state: PreparationContext['state']
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
  readonly lifetime: Pick<Lifetime, 'runBeside' | 'runExclusive'>
}

/** The executions of a session. */
export interface Executions {
  /**
   * Executes a skill. Other calls go on beside it. Returns undefined where the session ended first.
   * @throws the signal's reason
   */
  run(execution: RequestedExecution, signal: AbortSignal | undefined): Promise<Outcome | undefined>
}

/** Creates the executions of one session. */
export function createExecutions(executions: ExecutionsContext): Executions {
  return {
    run: (execution, signal) =>
      executions.lifetime.runBeside(signal, async (until) => {
        return executePrepared(executions, execution, until)
      }),
  }
}
