import { type SandboxOptions, sandboxRunner } from '@repertoire/runners'
import { runnerContract, type RunnerSubject } from '@repertoire/runners/testing'
import { afterAll, describe, it } from 'vitest'

export function holdToTheContract(sandbox: SandboxOptions, lacks: RunnerSubject['lacks'] = {}): void {
  const subject: RunnerSubject = {
    name: sandbox.name,
    open: () => sandboxRunner(sandbox),
    lacks: { signals: 'a shell returns 128 and the number of the signal', ...lacks },
  }
  runnerContract(subject, { describe, it, afterAll })
}
