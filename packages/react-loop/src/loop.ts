import { anyText, checkOptions, either, foreign, listOf } from '@repertoire/core/options'
import type { LoopEvent } from './events.ts'
import { LOOP_OPTIONS, type ReActLoop, type ReActLoopOptions, RUN_OPTIONS } from './options.ts'
import { createRunner } from './run.ts'
import { createSessionsLoop, type SessionRunOptions, type SessionsLoopOptions } from './sessions-loop.ts'
import { streamWork } from './stream-work.ts'

const INPUT = either(anyText, listOf(foreign('a message'), 'a list of messages'))

/**
 * Creates a loop that owns its sessions: each run opens one, and saves and closes it at its end, also after an abort or
 * an error. With `sessions`, `run(input, { session: id })` continues the session of that name, and waits while another
 * run works on it.
 * @throws {TypeError} as below; a run names a session, and there are no `sessions`
 */
export function createReActLoop(options: SessionsLoopOptions): ReActLoop<SessionRunOptions>
/**
 * Creates a loop with one session of the host's.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind, two tools have one name, or there is
 * `needsApproval` without `approve`
 */
export function createReActLoop(options: ReActLoopOptions): ReActLoop
export function createReActLoop(
  options: ReActLoopOptions | SessionsLoopOptions,
): ReActLoop | ReActLoop<SessionRunOptions> {
  return isOwner(options) ? createSessionsLoop(options, createLoop) : createLoop(options)
}

function isOwner(options: ReActLoopOptions | SessionsLoopOptions): options is SessionsLoopOptions {
  return typeof options === 'object' && options !== null && Object.hasOwn(options, 'repertoire')
}

function checkInput(name: string, input: unknown): void {
  const problem = INPUT.problem(input, 'input')
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`)
}

function createLoop(options: ReActLoopOptions): ReActLoop {
  checkOptions('createReActLoop', LOOP_OPTIONS, options)
  const execute = createRunner(options, { canAsk: true })
  let running = false

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running) {
      throw new TypeError('This loop is already running. Await that run, or create another loop with its own session.')
    }
    running = true
    try {
      return await work()
    } finally {
      running = false
    }
  }

  return {
    async run(input, run = {}) {
      checkInput('run', input)
      checkOptions('run', RUN_OPTIONS, run)
      return alone(() => execute(input, { ...run, streamed: false, emit: () => {} }))
    },
    async *stream(input, run = {}) {
      checkInput('stream', input)
      checkOptions('stream', RUN_OPTIONS, run)
      yield* streamWork<LoopEvent>(async (emit, signal) => {
        const result = await alone(() => execute(input, { ...run, signal, streamed: true, emit }))
        emit({ type: 'finish', result })
      }, run.signal)
    },
  }
}
