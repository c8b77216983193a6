import type { Tool } from '@openai/agents'
import type { Repertoire } from '@repertoire/core'
import { skillsRunner } from '@repertoire/openai-agents'

export function withReviewer(repertoire: Repertoire, tools: readonly Tool[], models: ReadonlyMap<string, string>) {
  return skillsRunner({
    repertoire,
    subagents: { reviewer: { instructions: 'You review code.', tools, maxTurns: 30 } },
    resolveModel: (name) => models.get(name),
  })
}
