import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import { consumeStream, createAgentUIStreamResponse, tool, type UIMessage } from 'ai'
import { z } from 'zod'
import { savedMessages, sessions } from '../../../chats'
import { model } from '../../../model'

const repertoire = await openSkills('skills')
const agent = skillsAgent({
  model,
  repertoire,
  sessions,
  tools: {
    Order: tool({ inputSchema: z.object({ id: z.string() }), execute: () => 'Tea, 40 euros' }),
    Pay: tool({ inputSchema: z.object({ id: z.string() }), execute: () => 'Paid.' }),
  },
})

export async function POST(request: Request): Promise<Response> {
  // Check here that the chat belongs to the user.
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
  return createAgentUIStreamResponse({
    agent,
    uiMessages: messages,
    options: { session: id },
    abortSignal: request.signal,
    // Called after an abort too: `consumeSseStream` reads the stream to its end. The agent saves the session itself.
    onEnd: ({ messages: all }) => void savedMessages.set(id, all),
    consumeSseStream: consumeStream,
  })
}
