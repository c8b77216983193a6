import type { RunnableConfig } from '@langchain/core/runnables'
import { END, Overwrite } from '@langchain/langgraph'
import type { Repertoire, SavedSession } from '@repertoire/core'
import { channelsOf, DEFAULT_NAME } from './channels.ts'
import type { SkillsMiddlewareOptions, SkillsSession } from './middleware.ts'

/** An agent of `createAgent`, by what is needed of it. */
export interface SkillsAgent {
  readonly graph: {
    getState(config: RunnableConfig): Promise<{ readonly values: Readonly<Record<string, unknown>> }>
    updateState(config: RunnableConfig, values: Record<string, unknown> | null, asNode?: string): Promise<unknown>
  }
}

/**
 * The names of the skills that are active on a thread, the top of the stack last.
 *
 * @param config names the thread: `{ configurable: { thread_id } }`
 * @param options as `skillsMiddleware` was given them
 */
export async function activeSkills(
  agent: SkillsAgent,
  config: RunnableConfig,
  { name = DEFAULT_NAME }: Pick<SkillsMiddlewareOptions, 'name'> = {},
): Promise<readonly string[]> {
  const { values } = await agent.graph.getState(config)
  const saved = values[channelsOf(name).session] as SavedSession | null | undefined
  return saved?.state.active.map((skill) => skill.name) ?? []
}

/** What `endSkills` is to know of the middleware. */
export interface EndOptions extends Pick<SkillsMiddlewareOptions, 'name'> {
  /** How the thread's sessions are opened, as the middleware was told: who is told of problems, and with what key. */
  readonly session?: SkillsSession
}

/**
 * Ends the task of a thread: every skill is deactivated, top first, its post hooks run and its private copy goes, and
 * the session is gone, with what was agreed to in it. Calls that still wait for consent are dropped, so that no late
 * answer can bring anything back. The messages stay, and the next message begins a new task. Safe to repeat.
 *
 * @param config names the thread: `{ configurable: { thread_id } }`
 * @param options as `skillsMiddleware` was given them
 * @throws {SkillError} STATE_INVALID, STATE_TAMPERED: the thread's session is not what was saved. It is gone all the same
 */
export async function endSkills(
  repertoire: Repertoire,
  agent: SkillsAgent,
  config: RunnableConfig,
  { name = DEFAULT_NAME, session = {} }: EndOptions = {},
): Promise<void> {
  const channel = channelsOf(name).session
  const { values } = await agent.graph.getState(config)
  const saved = (values[channel] as SavedSession | null | undefined) ?? undefined
  if (saved === undefined) return
  try {
    await repertoire.openSession({ ...session, saved }).end()
  } finally {
    await agent.graph.updateState(config, { [channel]: new Overwrite(null) })
    await agent.graph.updateState(config, null, END)
  }
}
