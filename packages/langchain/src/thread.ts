import type { RunnableConfig } from '@langchain/core/runnables'
import { END, Overwrite } from '@langchain/langgraph'
import type { SavedSession } from '@repertoire/core'
import { channelsOf, DEFAULT_NAME } from './channels.ts'
import type { SkillsMiddlewareOptions } from './middleware.ts'

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
  { name = DEFAULT_NAME }: SkillsMiddlewareOptions = {},
): Promise<readonly string[]> {
  const { values } = await agent.graph.getState(config)
  const saved = values[channelsOf(name).session] as SavedSession | null | undefined
  return saved?.state.active.map((skill) => skill.name) ?? []
}

/**
 * Ends the task of a thread: every skill is deactivated and the session is gone, with what was agreed to in it. Calls
 * that still wait for consent are dropped, so that no late answer can bring anything back. The messages stay, and the
 * next message begins a new task. Safe to repeat.
 *
 * @param config names the thread: `{ configurable: { thread_id } }`
 * @param options as `skillsMiddleware` was given them
 */
export async function endSkills(
  agent: SkillsAgent,
  config: RunnableConfig,
  { name = DEFAULT_NAME }: SkillsMiddlewareOptions = {},
): Promise<void> {
  const channel = channelsOf(name).session
  const { values } = await agent.graph.getState(config)
  if (values[channel] === null || values[channel] === undefined) return
  await agent.graph.updateState(config, { [channel]: new Overwrite(null) })
  await agent.graph.updateState(config, null, END)
}
