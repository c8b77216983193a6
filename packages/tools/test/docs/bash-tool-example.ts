import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'
import { openBubblewrapRunner } from '@repertoire/runners'
import { type BashTool, openBashTool } from '@repertoire/tools'

/** What an agent with a shell needs: give `tools` and sessions of `repertoire` to the adapter of its framework. */
export interface AgentParts {
  readonly repertoire: Repertoire
  readonly tools: readonly BashTool[]
}

/** An agent that may work in one project with a shell, and may not touch its own permissions. */
export async function openAgentParts(project: string, sources: readonly SkillSource[]): Promise<AgentParts> {
  const protect = ['.agent/policy.json', '.agent/consent/', '.bashrc']
  const bash = await openBashTool({
    workspace: { path: project, access: 'write', protect },
    runner: (workspace) => openBubblewrapRunner({ workspace }),
    limits: { timeout: 120_000 },
  })
  return { repertoire: await openRepertoire({ sources, policy: { protect } }), tools: [bash] }
}
