import { type OpenedTools, openBuiltInTools } from '@repertoire/tools'
import { openBubblewrapRunner } from '@repertoire/runners'

/** Everything that there is, for an agent that works in one project: a shell in a sandbox instead of single programs. */
export function openProjectTools(project: string): Promise<OpenedTools> {
  return openBuiltInTools({
    files: { roots: [project] },
    bash: { workspace: { path: project, access: 'write' }, runner: (workspace) => openBubblewrapRunner({ workspace }) },
  })
}
