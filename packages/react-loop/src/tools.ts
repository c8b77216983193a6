import { type FunctionTool, showName, type StepView, type ToolDefinition } from '@repertoire/core'

/** @throws {TypeError} two tools have one name */
export function byName(tools: readonly FunctionTool[]): ReadonlyMap<string, FunctionTool> {
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const [twice] = tools.filter((tool) => named.get(tool.name) !== tool)
  if (twice !== undefined)
    throw new TypeError(`Two tools are named "${showName(twice.name)}". Give each a name of its own.`)
  return named
}

/** The tools offered in one step: the host's tools that are allowed, and the skill tools. */
export function shownTools(tools: ReadonlyMap<string, FunctionTool>, view: StepView): readonly ToolDefinition[] {
  const offered = [...tools.values()].filter(({ name }) => !view.hides(name))
  return [...offered, ...view.tools].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
}
