import { createChannel } from './channel.ts'
import type { LoopEvent, LoopResult } from './events.ts'
import type { Message } from './model.ts'
import type { ReActLoopOptions, RunOptions } from './options.ts'
import { createRunner } from './run.ts'

/** A loop of reason, act, observe over one session. */
export interface ReActLoop {
  /**
   * Lets the model work until it has answered. Where the given messages end with one of a person's, the session's turn
   * begins with it: `/name args` activates that skill. Where they end with calls that have no result, those are carried
   * out first, so that a conversation which was stored while it waited for consent goes on where it stood.
   * @param input a user's message, or a whole conversation
   * @throws the endpoint's errors as they are; the signal's reason; {TypeError} another run is going on in this loop,
   * there are no messages, or a call further up has no result
   */
  run(input: string | readonly Message[], options?: RunOptions): Promise<LoopResult>
  /**
   * The same, streamed: what happens, as it happens, and last `finish`. Begins with the first read; who stops reading
   * aborts the run.
   */
  stream(input: string | readonly Message[], options?: RunOptions): AsyncGenerator<LoopEvent, void, undefined>
}

/**
 * Makes a loop.
 * @throws {TypeError} two tools have one name, `maxSteps` is not a whole number of 1 or more (an agent's too), or there is
 * `needsApproval` without `approve`
 */
export function createReActLoop(options: ReActLoopOptions): ReActLoop {
  const execute = createRunner(options, { attended: true })
  let running = false

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (running) {
      throw new TypeError(
        'This loop is running already. Await that run, or make another loop over a session of its own.',
      )
    }
    running = true
    try {
      return await work()
    } finally {
      running = false
    }
  }

  return {
    run: (input, run = {}) => alone(() => execute(input, { ...run, streamed: false, emit: () => {} })),
    async *stream(input, run = {}) {
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
