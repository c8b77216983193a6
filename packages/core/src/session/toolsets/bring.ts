import { canonicalTool, type FunctionTool } from '@repertoire/gate/internal'
import { SKILL_TOOL_PREFIX } from '../../tools/skill-tool-name.ts'
import { quoteName } from '@repertoire/skill-md/internal'
import { failureReason, type Refused, refused } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { broughtTools } from './brought-tools.ts'

/** What toolsets are loaded with. */
export interface BringContext {
  readonly context: Pick<SessionContext, 'toolsets' | 'toolNames' | 'reportProblem'>
  readonly active: () => readonly ActiveSkill[]
  readonly hostTools: () => readonly string[] | undefined
}

/**
 * Loads the tools that a skill brings, before it is active. One of a layer
 * that the host does not trust is activated without them, and a problem says so; where loading fails, or a name is taken
 * already, nothing is activated.
 * @throws the signal's reason
 */
export async function bringTools(
  bringing: BringContext,
  skill: ActiveSkill,
  references: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ActiveSkill | Refused> {
  const { context } = bringing
  if (references.length === 0) return skill
  if (!context.toolsets.trusts(skill)) {
    reportUntrusted(context, skill, references)
    return skill
  }
  const failed = (why: string): Refused =>
    refused({ code: 'TOOLSET_FAILED', reason: `The skill ${quoteName(skill.name)} was not activated. ${why}` })
  let tools: readonly FunctionTool[]
  try {
    tools = await context.toolsets.load(skill, references, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return failed(failureReason(error))
  }
  const taken = takenName(bringing, tools)
  if (taken !== undefined) return failed(`It brings a tool ${quoteName(taken)}, and there is one of that name already.`)
  return { ...skill, toolsets: references }
}

function takenName({ context, active, hostTools }: BringContext, tools: readonly FunctionTool[]): string | undefined {
  const { names = [], tools: others } = broughtTools(context, active(), hostTools())
  const taken = [...names, ...others.keys(), ...Object.values(context.toolNames)]
  return tools.find(
    ({ name }) => canonicalTool(name, taken) !== undefined || name.toLowerCase().startsWith(SKILL_TOOL_PREFIX),
  )?.name
}

/** The most toolsets that a problem names. */
const MAX_NAMED = 10

/** Says that a skill is active without what it brings, and how to change that. */
export function reportUntrusted(
  { reportProblem }: Pick<SessionContext, 'reportProblem'>,
  { name, layer }: ActiveSkill,
  references: readonly string[],
): void {
  reportProblem({
    code: 'TOOLSETS_NOT_LOADED',
    skill: name,
    message: `The skill ${quoteName(name)} brings tools (${references.slice(0, MAX_NAMED).map(quoteName).join(', ')}), which are not loaded: the host does not trust the layer "${layer}" with that. Only if it should, name the layer in the option \`toolsets\` of \`openRepertoire\`: { loader: moduleToolsets(), layers: ["${layer}"] }.`,
  })
}
