import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { Repertoire } from '@repertoire/core'
import { skillsMiddleware } from '@repertoire/langchain'
import type { ClientTool } from '@langchain/core/tools'

export function withReviewer(
  repertoire: Repertoire,
  models: ReadonlyMap<string, BaseChatModel>,
  reviewTools: readonly ClientTool[],
) {
  return skillsMiddleware(repertoire, {
    agent: 'coder',
    consent: () => true,
    subagents: { reviewer: { systemPrompt: 'You review code.', tools: reviewTools, maxSteps: 30 } },
    resolveModel: (name) => models.get(name),
  })
}
