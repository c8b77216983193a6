import type { ServerTool } from '@langchain/core/tools'
import type { ToolDefinition } from '@repertoire/core'

const offeredTools = new WeakMap<ToolDefinition, ServerTool>()

/** A skill tool as LangChain is given it: the same object for the same tool, since what is known of it is kept by it. */
export function asOffered(definition: ToolDefinition): ServerTool {
  const known = offeredTools.get(definition)
  if (known !== undefined) return known
  const { name, description, inputSchema } = definition
  const tool = { name, description, schema: inputSchema }
  offeredTools.set(definition, tool)
  return tool
}
