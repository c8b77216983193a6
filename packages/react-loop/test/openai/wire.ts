import { delta, events, message, type RawAnswer } from '../raw-endpoint.ts'

/** A call as the API gives it. */
export const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

/** Answers with a message of a text and calls, in one piece or in chunks, character by character. */
export function say(
  streamed: boolean,
  content: string | null,
  calls: readonly ReturnType<typeof call>[],
  finish: string,
  more: object = {},
): RawAnswer {
  if (!streamed) return message({ content, ...(calls.length > 0 && { tool_calls: calls }), ...more }, finish, usage)
  const pieces = calls.flatMap(({ id, type, function: { name, arguments: args } }, index) => [
    delta({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
    ...Array.from(args, (character) => delta({ tool_calls: [{ index, function: { arguments: character } }] })),
  ])
  return events([
    delta({ role: 'assistant', content: null }),
    ...Array.from(content ?? '', (character) => delta({ content: character })),
    delta(more),
    ...pieces,
    delta({}, finish),
    { ...(delta({}) as object), choices: [], usage },
  ])
}
