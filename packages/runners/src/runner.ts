import {
  type ScriptEnd,
  type ScriptIsolation,
  type ScriptJob,
  type ScriptResult,
  type ScriptRunner,
  SkillError,
} from '@repertoire/core'
import { checkJob } from './job.ts'

/** What differs from runner to runner. */
export interface RunnerParts {
  readonly name: string
  readonly isolation: ScriptIsolation
  readonly supports: ScriptRunner['supports']
  /** Gets a job that was checked, and whose signal also aborts when the runner is closed. */
  readonly start: (job: ScriptJob) => Promise<ScriptResult>
  /** Called once, after the last job has ended. */
  readonly dispose?: () => Promise<void>
}

/** A runner of these parts: what is the same in all of them, once. */
export function createRunner({ name, isolation, supports, start, dispose }: RunnerParts): ScriptRunner {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  async function run(job: ScriptJob): Promise<ScriptResult> {
    if (closing.signal.aborted) throw new SkillError('SCRIPT_NOT_STARTED', `The runner "${name}" is closed.`)
    checkJob(job)
    const supported = supports(job.interpreter, job.interpreterArgs)
    if (supported !== true) throw new SkillError('SCRIPT_NOT_STARTED', supported)
    if (job.signal.aborted) return emptyResult('aborted')
    const result = start({ ...job, signal: AbortSignal.any([job.signal, closing.signal]) })
    running.add(result)
    try {
      return await result
    } finally {
      running.delete(result)
    }
  }

  async function close(): Promise<void> {
    closing.abort()
    await Promise.allSettled(running)
    await dispose?.()
  }

  return {
    name,
    isolation,
    supports,
    run,
    close: () => (closed ??= close()),
  }
}

/** Of a job that has written nothing. */
export function emptyResult(end: ScriptEnd, durationMs = 0): ScriptResult {
  const nothing = new Uint8Array()
  return { end, stdout: nothing, stderr: nothing, dropped: { stdout: 0, stderr: 0 }, durationMs }
}
