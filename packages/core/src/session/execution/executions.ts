import type { Outcome } from '@repertoire/gate/internal'
import { executePrepared, type ExecutionsContext, type RequestedExecution } from './execute-prepared.ts'

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
