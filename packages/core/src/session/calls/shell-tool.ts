import { toolArgument, type ToolArguments } from '../../gate/index.ts'

/** The host's first tool that runs commands. */
export function shellTool(toolArguments: ToolArguments, hostTools: readonly string[] | undefined): string | undefined {
  return hostTools?.find((name) => toolArgument(toolArguments, name)?.kind === 'shell')
}
