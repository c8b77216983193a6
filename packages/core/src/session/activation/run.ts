import type { Outcome } from '@repertoire/gate/internal'
import { sessionEnded } from '../refusal.ts'
import type { Executions } from '../execution/executions.ts'
import type { Forks } from '../fork/forks.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CallOptions } from '../session.ts'
import type { ActivationResult } from './activate.ts'

/** Runs what may activate a skill: after all that came before, and a fork's sub-agent, or what is executed, beside what comes next. */
export type RunActivation = (
  options: CallOptions,
  work: (signal: AbortSignal) => ActivationResult | Promise<ActivationResult>,
) => Promise<Outcome>

/** Creates the runner of one session's activations. */
export function createRunActivation(
  lifetime: Pick<Lifetime, 'hasEnded' | 'runExclusive' | 'runUntilEnd'>,
  forks: Pick<Forks, 'run'>,
  executions: Pick<Executions, 'run'>,
): RunActivation {
  return async ({ signal, fork }, work) => {
    const result = await lifetime.runExclusive<ActivationResult | undefined>(
      () => (lifetime.hasEnded() ? undefined : lifetime.runUntilEnd(signal, work)),
      signal,
    )
    if (result === undefined) return sessionEnded()
    if ('ok' in result) return result
    if ('execution' in result) return (await executions.run(result.execution, signal)) ?? sessionEnded()
    // A fork is requested only where there is a runner for it.
    return (await forks.run(result.fork, fork!, signal)) ?? sessionEnded()
  }
}
