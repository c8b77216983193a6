import { openai } from '@ai-sdk/openai'
import { skillsAgent } from '@repertoire/ai-sdk'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { createAgentUIStreamResponse, type UIMessage } from 'ai'

const repertoire = await openSkills('.agents/skills')
const agent = skillsAgent({ model: openai('gpt-5.2'), repertoire, sessions: memorySessions() })

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
  return createAgentUIStreamResponse({
    agent,
    uiMessages: messages,
    options: { session: id },
    abortSignal: request.signal,
  })
}
