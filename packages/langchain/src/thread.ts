import type { RunnableConfig } from '@langchain/core/runnables'
import { END, type Interrupt, Overwrite } from '@langchain/langgraph'
import type { Repertoire } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { channelOf, DEFAULT_NAME, valueIn } from './channels.ts'
import { isWithoutCheckpointer } from './interrupts.ts'
import { checkOptions, text } from '@repertoire/core/options'
import { checkMiddlewareOptions, checkThread, type SkillsMiddlewareOptions } from './options.ts'

/** What LangGraph returns of a thread. */
interface ThreadState {
  readonly values: Readonly<Record<string, unknown>>
  readonly next: readonly string[]
  readonly config: RunnableConfig
  readonly tasks: readonly { readonly interrupts: readonly Interrupt[]; readonly result?: unknown }[]
}

/** The part of a compiled graph that is used here. */
export interface SkillsGraph {
  getState(config: RunnableConfig): Promise<ThreadState>
  updateState(config: RunnableConfig, values: Record<string, unknown> | null, asNode?: string): Promise<unknown>
}

/** An agent of `createAgent`, or the compiled graph that an agent is a node of. */
export type SkillsAgent = SkillsGraph | { readonly graph: SkillsGraph }

/** Returns the graph of an agent. */
function graphOf(agent: SkillsAgent): SkillsGraph {
  return 'graph' in agent ? agent.graph : agent
}

/**
 * The names of the active skills of a thread, the top of the stack last; none without a checkpointer. While a run is
 * suspended, a skill that was activated next to a pending call is not included yet: it is lost if the person writes on
 * instead of answering.
 *
 * @param config names the thread: `{ configurable: { thread_id } }`. For an agent that is a node of a graph, give the
 * graph, and the name of the node as `checkpoint_ns`
 * @param options those of `skillsMiddleware`
 * @throws {TypeError} no agent or graph, no thread, or a wrong option
 */
export async function activeSkills(
  agent: SkillsAgent,
  config: RunnableConfig,
  options: Pick<SkillsMiddlewareOptions, 'name'> = {},
): Promise<readonly string[]> {
  checkOptions<Pick<SkillsMiddlewareOptions, 'name'>>('activeSkills', { name: text }, options)
  checkThread('activeSkills', agent, config)
  const { name = DEFAULT_NAME } = options
  const state = await storedState(agent, config)
  // While a run is suspended, this state includes what finished next to the pending calls. LangGraph drops that if the
  // person writes on; the state of the checkpoint itself does not include it.
  const kept = state === undefined || state.next.length === 0 ? state : await graphOf(agent).getState(state.config)
  const saved = kept && valueIn(kept.values, channelOf(name))
  return saved?.state.active.map((skill) => skill.name) ?? []
}

/**
 * Ends the task of a thread: every skill is deactivated, top first, its post hooks run and its private copy is removed,
 * and the session is deleted with its grants. Pending consent requests are dropped, so that a late answer has no
 * effect. The messages stay, and the next message begins a new task. Safe to repeat. Without a checkpointer there is
 * nothing to end: each session ends with its run.
 *
 * @param config as for `activeSkills`
 * @param options those of `skillsMiddleware`
 * @throws {TypeError} no repertoire, no agent or graph, no thread, or a wrong option
 * @throws {SkillError} STATE_INVALID, STATE_TAMPERED: the thread's session is not what was saved. It is gone all the
 * same, unless the forged part is a write that still waits: LangGraph cannot read such a thread, and nothing is cleared
 */
export async function endSkills(
  repertoire: Repertoire,
  agent: SkillsAgent,
  config: RunnableConfig,
  options: SkillsMiddlewareOptions = {},
): Promise<void> {
  checkMiddlewareOptions('endSkills', repertoire, options)
  checkThread('endSkills', agent, config)
  const { name = DEFAULT_NAME, subagents: _subagents, resolveModel: _resolveModel, ...session } = options
  const graph = graphOf(agent)
  const channel = channelOf(name)
  const state = await storedState(agent, config)
  if (state === undefined) return
  // In a suspended run, this includes what finished next to the pending call, such as an activation.
  if (state.next.length > 0) await graph.updateState(config, null, END)
  const { values } = await graph.getState(config)
  const saved = valueIn(values, channel)
  if (saved === undefined) return
  try {
    await openAdapterSession(repertoire, { ...session, saved }).end()
  } finally {
    await graph.updateState(config, { [channel]: new Overwrite(null) })
    await graph.updateState(config, null, END)
  }
}

/** The state of a thread; undefined if the agent has no checkpointer, so that each session ends with its run. */
export async function storedState(agent: SkillsAgent, config: RunnableConfig): Promise<ThreadState | undefined> {
  try {
    return await graphOf(agent).getState(config)
  } catch (error) {
    if (isWithoutCheckpointer(error)) return undefined
    throw error
  }
}
