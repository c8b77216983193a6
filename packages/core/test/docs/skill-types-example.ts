import { openRepertoire, type Session, type SkillSource, type PlanCallRunner } from '@repertoire/core'
import { moduleToolsets } from '@repertoire/core/node'

export async function openTask(sources: readonly SkillSource[], runStep: PlanCallRunner): Promise<Session> {
  const repertoire = await openRepertoire({ sources, toolsets: { loader: moduleToolsets(), layers: ['personal'] } })
  return repertoire.openSession({ consent: () => true, runStep })
}
