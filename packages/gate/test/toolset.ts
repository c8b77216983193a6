import { type HostToolsOptions, loadCommands, openToolTable, type Toolset } from '../src/internal.ts'

// Calls are read without waiting, as in a session that has judged one.
await loadCommands()

/** What is known of a host's tools; `names`: those that it has. */
export function toolset(tools: HostToolsOptions['toolMap'] = {}, names?: readonly string[]): Toolset {
  return openToolTable({ toolMap: tools }).of(names)
}
