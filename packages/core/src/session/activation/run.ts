import type { Outcome } from '@repertoire/gate/internal'
import { refuse } from '../refusals.ts'
import type { RequestedExecution } from '../execution/execute-prepared.ts'
import type { Forks } from '../fork/forks.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CallOptions } from '../session.ts'
import type { ActivationResult } from './activate.ts'

/** Runs what may activate a skill: after all that came before, and a fork's sub-agent, or what is executed, beside what comes next. */
export type RunActivation = (
  options: CallOptions,
  work: (signal: AbortSignal) => ActivationResult | Promise<ActivationResult>,
) => Promise<Outcome>

/** What activations are run with. */
interface RunNeeds {
  readonly lifetime: Pick<Lifetime, 'hasEnded' | 'runExclusive' | 'runUntilEnd' | 'runBeside'>
  readonly forks: Pick<Forks, 'run'>
  readonly execute: (execution: RequestedExecution, until: AbortSignal) => Promise<Outcome>
}

/** Creates the runner of one session's activations. */
export function createRunActivation({ lifetime, forks, execute }: RunNeeds): RunActivation {
  return async ({ signal, fork }, work) => {
    const result = await lifetime.runExclusive<ActivationResult | undefined>(
      () => (lifetime.hasEnded() ? undefined : lifetime.runUntilEnd(signal, work)),
      signal,
    )
    if (result === undefined) return refuse.sessionEnded()
    if ('ok' in result) return result
    if ('execution' in result) {
      const running = lifetime.runBeside(signal, (until) => execute(result.execution, until))
      return (await running) ?? refuse.sessionEnded()
    }
    // A fork is requested only where there is a runner for it.
    return (await forks.run(result.fork, fork!, signal)) ?? refuse.sessionEnded()
  }
}
