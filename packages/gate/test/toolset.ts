import { type HostToolsOptions, openToolTable, type Toolset } from '../src/internal.ts'

/** What is known of a host's tools; `names`: those that it has. */
export function toolset(tools: HostToolsOptions['tools'] = {}, names?: readonly string[], toolRoot?: string): Toolset {
  return openToolTable({ tools, ...(toolRoot !== undefined && { toolRoot }) }).of(names)
}
