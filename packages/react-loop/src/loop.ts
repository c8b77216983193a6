import { checkOptions } from '@repertoire/core/options'
import { createChannel } from './channel.ts'
import type { LoopEvent, LoopResult } from './events.ts'
import type { Message } from './model.ts'
import { LOOP_OPTIONS, type ReActLoopOptions, RUN_OPTIONS, type RunOptions } from './options.ts'
import { createRunner } from './run.ts'

/** A loop of reason, act and observe with one session. */
export interface ReActLoop {
  /**
   * Runs until the model has answered. If the messages end with a person's message, a turn of the session begins with
   * it: `/name args` activates that skill. If they end with calls without results, these run first, so that a
   * conversation which was stored while it waited for consent continues where it stopped.
   * @param input a user's message, or a whole conversation
   * @throws the endpoint's errors, unchanged; the signal's reason; {TypeError} another run is active in this loop,
   * there are no messages, or an earlier call has no result
   */
  run(input: string | readonly Message[], options?: RunOptions): Promise<LoopResult>
  /**
   * As `run`, but yields the events of the run, `finish` last. The run starts with the first read; to stop reading
   * aborts it.
   */
  stream(input: string | readonly Message[], options?: RunOptions): AsyncGenerator<LoopEvent, void, undefined>
}

/**
 * Creates a loop.
 * @throws {TypeError} an option has an unknown name or a value of the wrong kind, two tools have one name, or there is
 * `needsApproval` without `approve`
 */
export function createReActLoop(options: ReActLoopOptions): ReActLoop {
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
      checkOptions('run', RUN_OPTIONS, run)
      return alone(() => execute(input, { ...run, streamed: false, emit: () => {} }))
    },
    async *stream(input, run = {}) {
      checkOptions('stream', RUN_OPTIONS, run)
      const channel = createChannel<LoopEvent>()
      const left = new AbortController()
      const signal = run.signal === undefined ? left.signal : AbortSignal.any([run.signal, left.signal])
      const ended = alone(() => execute(input, { ...run, signal, streamed: true, emit: channel.push })).then(
        (result) => {
          channel.push({ type: 'finish', result })
          channel.close()
        },
        (error: unknown) => channel.close({ error }),
      )
      try {
        yield* channel
      } finally {
        left.abort()
        await ended
      }
    },
  }
}
