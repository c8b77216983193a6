import { enforcedPolicy, mayUse, type ToolDefinition } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { BroughtTools } from './brought-tools.ts'

/** Returns what active skills bring as a model is shown it, as far as all that is active permits it. */
export function offeredTools(
  { gate, tools }: Pick<SessionContext, 'gate' | 'tools'>,
  { tools: brought, names, stackFor }: BroughtTools,
): readonly ToolDefinition[] {
  if (brought.size === 0) return []
  const toolset = tools.of(names)
  return [...brought.values()]
    .filter(({ tool: { name } }) => mayUse(enforcedPolicy(stackFor(name), gate), name, toolset))
    .map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema, group: 'toolset' }))
}
