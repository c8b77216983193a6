import { type OpenedTools, openBuiltInTools } from '@repertoire/tools'
import { openBubblewrapRunner } from '@repertoire/runners'

/** Everything there is, for an agent that works in one project: a sandboxed shell in place of single programs. */
export function openProjectTools(project: string): Promise<OpenedTools> {
  return openBuiltInTools({
    files: { roots: [project] },
    bash: { workspace: { path: project, access: 'write' }, runner: (workspace) => openBubblewrapRunner({ workspace }) },
  })
}
