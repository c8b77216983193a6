import type { Model, ModelAnswer, ModelRequest } from '../src/model.ts'

export const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] }

/** What a model answers, and the text that a stream showed of it. */
export async function ask(
  model: Model,
  streamed: boolean,
  request: ModelRequest = hello,
  signal?: AbortSignal,
): Promise<{ answer: ModelAnswer | undefined; text: string }> {
  if (!streamed) {
    const answer = await model.complete(request, { signal })
    return { answer, text: answer.text }
  }
  let text = ''
  let answer: ModelAnswer | undefined
  for await (const part of model.stream(request, { signal })) {
    if (part.type === 'text') text += part.text
    else ({ answer } = part)
  }
  return { answer, text }
}
