import { withSkills } from '@repertoire/ai-sdk'
import type { Session } from '@repertoire/core'
import type { LanguageModel, ToolSet } from 'ai'

export function withReviewer(session: Session, tools: ToolSet, models: ReadonlyMap<string, LanguageModel>) {
  return withSkills(session, {
    tools,
    subagents: { reviewer: { instructions: 'You review code.', maxSteps: 30, settings: { maxRetries: 5 } } },
    resolveModel: (name) => models.get(name),
  })
}
