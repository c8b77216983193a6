import type { Repertoire, SessionStore } from '@repertoire/core'
import { type OwnedSessionOptions, OWNER_OPTIONS, withOwnedSession } from '@repertoire/core/adapter'
import { anyText, checkOptions, type OptionTable } from '@repertoire/core/options'
import type { LoopEvent } from './events.ts'
import type { Message } from './model.ts'
import { LOOP_OPTIONS, type ReActLoop, type ReActLoopOptions, RUN_OPTIONS, type RunOptions } from './options.ts'
import { streamWork } from './stream-work.ts'

/** How the sessions of a loop are opened. The loop itself chooses their ids, and if they are kept. */
export type LoopSession = OwnedSessionOptions

/** Options of `createReActLoop` for a loop that owns its sessions. */
export interface SessionsLoopOptions extends Omit<ReActLoopOptions, 'session'> {
  readonly repertoire: Repertoire
  /** Keeps the sessions between runs. The same store on every machine. */
  readonly sessions?: SessionStore | undefined
  /** How each session is opened, such as `{ agent: 'coder', consent }`. */
  readonly session?: LoopSession | undefined
}

/** Options of a run of a loop that owns its sessions. */
export interface SessionRunOptions extends RunOptions {
  /** The name of the task, such as the id of a chat. Absent: a session that ends with the run. */
  readonly session?: string | undefined
}

const SESSIONS_LOOP_OPTIONS: OptionTable<SessionsLoopOptions> = {
  ...LOOP_OPTIONS,
  ...OWNER_OPTIONS,
}

const SESSION_RUN_OPTIONS: OptionTable<SessionRunOptions> = { ...RUN_OPTIONS, session: anyText }

/** @param create creates the loop of one run */
export function createSessionsLoop(
  options: SessionsLoopOptions,
  create: (options: ReActLoopOptions) => ReActLoop,
): ReActLoop<SessionRunOptions> {
  checkOptions('createReActLoop', SESSIONS_LOOP_OPTIONS, options)
  const { repertoire, sessions, session: opening, ...loop } = options
  const owner = { name: 'createReActLoop', repertoire, sessions, session: opening }

  function within<T>(
    { session: id, signal: given, ...run }: SessionRunOptions,
    work: (loop: ReActLoop, run: RunOptions) => Promise<T>,
  ): Promise<T> {
    return withOwnedSession(owner, { id, signal: given }, ({ session, signal }) =>
      work(create({ ...loop, session }), { ...run, signal }),
    )
  }

  return {
    async run(input: string | readonly Message[], run = {}) {
      checkOptions('run', SESSION_RUN_OPTIONS, run)
      return within(run, (each, settings) => each.run(input, settings))
    },
    async *stream(input: string | readonly Message[], run = {}) {
      checkOptions('stream', SESSION_RUN_OPTIONS, run)
      yield* streamWork<LoopEvent>(
        (emit, signal) =>
          within({ ...run, signal }, async (each, settings) => {
            for await (const event of each.stream(input, settings)) emit(event)
          }),
        run.signal,
      )
    },
  }
}
