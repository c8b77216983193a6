import { canonicalTool, enforcedPolicy, mayUse } from '@repertoire/gate/internal'
import type { FunctionTool, ToolCall, ToolDefinition } from '../../ports/tool.ts'
import type { Outcome } from '../../ports/outcome.ts'
import { runInTime, TIMED_OUT } from '../../time-limit.ts'
import type { CallScope, SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { SKILL_TOOL_PREFIX } from '../../tools/skill-tools.ts'
import { quoteName } from '@repertoire/skill-md/internal'
import { failureReason, failureText, type Refused, shownResult } from '../refusal.ts'
import { refuse } from '../refusals.ts'

interface ProvidedTool {
  readonly tool: FunctionTool
  readonly skill: ActiveSkill
}

/** The tools that a stack of skills brings, beside the host's. */
export interface ProvidedTools {
  /** By name, in the order of the stack. */
  readonly tools: ReadonlyMap<string, ProvidedTool>
  /** The names of the host's tools and of these; undefined where the host's are not known. */
  readonly names: readonly string[] | undefined
  /**
   * Returns the stack that a call of a tool is judged by. A skill that allows only some tools may use those that it
   * brings: its list was written without knowing their names here. That holds for calls of these and for no others, so
   * that no name of a tool can widen what a skill may do with the host's.
   */
  readonly judgingStack: (tool: string) => readonly ActiveSkill[]
}

const NONE: ReadonlyMap<string, ProvidedTool> = new Map()

/**
 * Returns the tools that active skills have provided. One that the host has a tool of the same name for by now is left
 * out: the name is the host's.
 */
export function providedTools(
  { toolsets }: SessionContext,
  active: readonly ActiveSkill[],
  hostTools: readonly string[] | undefined,
): ProvidedTools {
  if (!active.some((skill) => skill.toolsets !== undefined)) {
    return { tools: NONE, names: hostTools, judgingStack: () => active }
  }
  const tools = new Map<string, ProvidedTool>()
  const nameAmong = (name: string): string | undefined => canonicalTool(name, [...(hostTools ?? []), ...tools.keys()])
  for (const skill of active) {
    if (skill.toolsets === undefined || !toolsets.trusts(skill)) continue
    for (const tool of toolsets.loaded(skill) ?? []) {
      if (nameAmong(tool.name) === undefined) tools.set(tool.name, { tool, skill })
    }
  }
  return {
    tools,
    names: hostTools && [...hostTools, ...tools.keys()],
    judgingStack(tool) {
      const name = nameAmong(tool)
      const owner = name === undefined ? undefined : tools.get(name)?.skill
      if (name === undefined || owner?.rules === undefined) return active
      const rules = [...owner.rules, { tool: name }]
      return active.map((skill) => (skill === owner ? { ...skill, rules } : skill))
    },
  }
}

/**
 * Loads the tools that a skill brings, before it is active. One of a layer that the host does not trust is activated
 * without them, and a problem says so; where loading fails, or a name is taken already, nothing is activated.
 */
export async function loadToolsets(
  scope: CallScope,
  skill: ActiveSkill,
  references: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ActiveSkill | Refused> {
  const { context } = scope
  if (!context.toolsets.trusts(skill)) {
    reportUntrusted(context, skill, references)
    return skill
  }
  let tools: readonly FunctionTool[]
  try {
    tools = await context.toolsets.load(skill, references, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return refuse.toolsetFailed(skill.name, failureReason(error))
  }
  const taken = takenName(scope, tools)
  if (taken !== undefined) {
    const why = `It brings a tool ${quoteName(taken)}, and there is one of that name already.`
    return refuse.toolsetFailed(skill.name, why)
  }
  return { ...skill, toolsets: references }
}

function takenName({ context, active, hostTools }: CallScope, tools: readonly FunctionTool[]): string | undefined {
  const { names = [], tools: others } = providedTools(context, active(), hostTools())
  const taken = [...names, ...others.keys(), ...Object.values(context.toolNames)]
  return tools.find(
    ({ name }) => canonicalTool(name, taken) !== undefined || name.toLowerCase().startsWith(SKILL_TOOL_PREFIX),
  )?.name
}

const MAX_NAMED = 10

/** Says that a skill is active without what it brings, and how to change that. */
function reportUntrusted(
  { reportProblem }: SessionContext,
  { name, layer }: ActiveSkill,
  references: readonly string[],
): void {
  reportProblem({
    code: 'TOOLSETS_NOT_LOADED',
    skill: name,
    message: `The skill ${quoteName(name)} brings tools (${references.slice(0, MAX_NAMED).map(quoteName).join(', ')}), which are not loaded: the host does not trust the layer "${layer}" with that. Only if it should, name the layer in the option \`toolsets\` of \`openRepertoire\`: { loader: moduleToolsets(), layers: ["${layer}"] }.`,
  })
}

/**
 * Loads what active skills bring and this process has not loaded yet: a session that goes on in another process. What
 * cannot be loaded is reported, and its tools are not there. Never rejects.
 */
export async function loadProvided(context: SessionContext, active: readonly ActiveSkill[]): Promise<void> {
  await Promise.all(active.map((skill) => loadOne(context, skill)))
}

async function loadOne(context: SessionContext, skill: ActiveSkill): Promise<void> {
  const { toolsets: references, name } = skill
  if (references === undefined || context.toolsets.loaded(skill) !== undefined) return
  if (!context.toolsets.trusts(skill)) {
    reportUntrusted(context, skill, references)
    return
  }
  try {
    await context.toolsets.load(skill, references)
  } catch (error) {
    context.reportProblem({
      code: 'TOOLSETS_NOT_LOADED',
      skill: name,
      message: `The tools that the active skill ${quoteName(name)} brings are not there any more. ${failureText(error)}`,
      cause: error,
    })
  }
}

export function offeredTools(
  { gate, tools }: SessionContext,
  { tools: provided, names, judgingStack }: ProvidedTools,
): readonly ToolDefinition[] {
  if (provided.size === 0) return []
  const toolset = tools.of(names)
  return [...provided.values()]
    .filter(({ tool: { name } }) => mayUse(enforcedPolicy(judgingStack(name), gate, toolset), name, toolset))
    .map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema }))
}

/**
 * Runs a tool that a skill has provided. What it throws is its result, and so is that it took too long: no framework
 * knows the tool. Its own signal aborts with the given one, and when its time is over; after that it is not waited for.
 */
export async function runProvidedTool(
  { toolsets: { callTimeoutMs } }: SessionContext,
  { tool }: ProvidedTool,
  { id, input }: ToolCall,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const execute = (own: AbortSignal) => tool.execute(input, { callId: id, signal: own })
    const value = await runInTime<unknown>(execute, callTimeoutMs, 'The tool', signal)
    if (value !== TIMED_OUT) return { ok: true, value, text: shownResult(value, MAX_SHOWN_CHARS) }
    return failedWith(
      `The tool took longer than ${callTimeoutMs} ms and was aborted. What it had done by then is done.`,
    )
  } catch (error) {
    signal.throwIfAborted()
    return failedWith(failureText(error))
  }
}

function failedWith(message: string): Outcome {
  return { ok: true, value: { isError: true, message }, text: JSON.stringify({ error: { message } }) }
}

/** Characters of a result that a model is shown. */
const MAX_SHOWN_CHARS = 60_000
