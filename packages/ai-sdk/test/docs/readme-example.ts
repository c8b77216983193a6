import { skillsAgent } from '@repertoire/ai-sdk'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { createAgentUIStreamResponse, type LanguageModel, type ToolSet } from 'ai'

/** Returns the handler of a chat's requests, with approvals. */
export async function openChat(model: LanguageModel, tools: ToolSet) {
  const repertoire = await openSkills('.agents/skills')
  const agent = skillsAgent({ model, tools, repertoire, sessions: memorySessions() })

  return async (request: Request): Promise<Response> => {
    const { id, messages } = (await request.json()) as { id: string; messages: unknown[] }
    return createAgentUIStreamResponse({ agent, uiMessages: messages, options: { session: id } })
  }
}
