import {
  type Repertoire,
  type Session,
  type SessionOptions,
  type SessionStore,
  withStoredSession,
} from '@repertoire/core'
import { SESSION_OPTIONS } from '@repertoire/core/adapter'
import {
  anyText,
  checkOptions,
  type OptionTable,
  repertoireKind,
  required,
  tableOf,
  withMethods,
} from '@repertoire/core/options'
import { createChannel } from './channel.ts'
import type { LoopEvent } from './events.ts'
import type { Message } from './model.ts'
import { LOOP_OPTIONS, type ReActLoop, type ReActLoopOptions, RUN_OPTIONS, type RunOptions } from './options.ts'

/** How the sessions of a loop are opened. The loop itself chooses their ids, and where they are kept. */
export type LoopSession = Omit<SessionOptions, 'id' | 'saved' | 'checkpoint' | 'until'>

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

const { id: _id, saved: _saved, checkpoint: _checkpoint, until: _until, ...LOOP_SESSION } = SESSION_OPTIONS

const SESSIONS_LOOP_OPTIONS: OptionTable<SessionsLoopOptions> = {
  ...LOOP_OPTIONS,
  repertoire: required(repertoireKind),
  sessions: withMethods('a session store, such as `memorySessions()`', 'acquire', 'renew', 'release', 'load', 'save'),
  session: tableOf<LoopSession>(LOOP_SESSION),
}

const SESSION_RUN_OPTIONS: OptionTable<SessionRunOptions> = { ...RUN_OPTIONS, session: anyText }

const WITHOUT_STORE =
  'The option `session` of the run names a session, and there is no store that keeps it. Give `createReActLoop` the option `sessions`: a store that all your machines share, or `memorySessions()` of @repertoire/core for one process.'

/** @param create creates the loop of one run */
export function createSessionsLoop(
  options: SessionsLoopOptions,
  create: (options: ReActLoopOptions) => ReActLoop,
): ReActLoop<SessionRunOptions> {
  checkOptions('createReActLoop', SESSIONS_LOOP_OPTIONS, options)
  const { repertoire, sessions, session: opening = {}, ...loop } = options

  /** Runs some work in the session of a run, which is saved and closed, or ended, when the work is done. */
  async function within<T>(
    { session: id, signal, ...run }: SessionRunOptions,
    work: (loop: ReActLoop, run: RunOptions) => Promise<T>,
  ): Promise<T> {
    const withSession = (session: Session, until: AbortSignal | undefined): Promise<T> =>
      work(create({ ...loop, session }), { ...run, ...(until !== undefined && { signal: until }) })
    if (id === undefined) return repertoire.runTask(opening, (session) => withSession(session, signal))
    if (sessions === undefined) throw new TypeError(WITHOUT_STORE)
    return withStoredSession(repertoire, { ...opening, store: sessions, id, signal }, (session, stored) =>
      withSession(session, stored.signal),
    )
  }

  return {
    async run(input: string | readonly Message[], run = {}) {
      checkOptions('run', SESSION_RUN_OPTIONS, run)
      return within(run, (each, settings) => each.run(input, settings))
    },
    async *stream(input: string | readonly Message[], run = {}) {
      checkOptions('stream', SESSION_RUN_OPTIONS, run)
      const channel = createChannel<LoopEvent>()
      const left = new AbortController()
      const signal = run.signal === undefined ? left.signal : AbortSignal.any([run.signal, left.signal])
      const ended = within({ ...run, signal }, async (each, settings) => {
        for await (const event of each.stream(input, settings)) channel.push(event)
      }).then(
        () => channel.close(),
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
