import { openai } from '@ai-sdk/openai'
import { withSkills } from '@repertoire/ai-sdk'
import { memorySessions, withStoredSession } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  type UIMessage,
} from 'ai'

const repertoire = await openSkills('.agents/skills')
const store = memorySessions()

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
  const stream = createUIMessageStream({
    originalMessages: messages,
    execute: ({ writer }) =>
      withStoredSession(repertoire, { store, id }, async (session, { signal }) => {
        const skills = withSkills(session, {
          instructions: 'You work in a shop.',
          tools: {}, // yours
          abortSignal: AbortSignal.any([signal, request.signal]),
        })
        const result = streamText({
          model: openai('gpt-5.2'),
          messages: await convertToModelMessages(messages),
          stopWhen: isStepCount(20),
          ...skills,
        })
        writer.merge(result.toUIMessageStream())
        // The session stays open until the run has ended.
        await result.consumeStream()
      }),
    onError: (error) => {
      console.error(error)
      return 'An error occurred.'
    },
  })
  return createUIMessageStreamResponse({ stream })
}
