import type { AgentConfig } from '@mastra/core/agent'
import type { Repertoire } from '@repertoire/core'
import { skillsAgent } from '@repertoire/mastra'

export function withReviewer(config: AgentConfig, repertoire: Repertoire) {
  return skillsAgent(config, {
    repertoire,
    subagents: {
      default: { maxSteps: 10 },
      reviewer: { instructions: 'You review code.', model: 'openai/gpt-5-mini' },
    },
    session: { consent: () => true },
  })
}
