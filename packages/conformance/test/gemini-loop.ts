import type { ChatBody, ChatMessage } from './loop-driver.ts'
import type { Received } from './chat.ts'

/** A part of a content, as Gemini has it. */
export type Part = Readonly<Record<string, any>>

/** A body of chat completions in Gemini's words. Messages of the model are the parts that it sent. */
export function geminiBody({ messages, tools }: ChatBody) {
  const names = new Map<unknown, string>()
  const contents: { role: string; parts: Part[] }[] = []
  for (const message of messages.slice(1)) {
    for (const { id, function: called } of callsOf(message)) names.set(id, called.name)
    const role = message['role'] === 'assistant' ? 'model' : 'user'
    const isResult = message['role'] === 'tool'
    const parts = isResult ? [resultOf(message, names)] : (message['parts'] as Part[] | undefined)
    const last = contents.at(-1)
    if (isResult && last?.parts.some(({ functionResponse }) => functionResponse)) last.parts.push(...parts!)
    else contents.push({ role, parts: parts ?? [{ text: message['content'] }] })
  }
  return {
    systemInstruction: { parts: [{ text: messages[0]!['content'] }] },
    contents,
    ...(tools && {
      tools: [
        {
          functionDeclarations: tools.map(({ function: { name, description, parameters } }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
  }
}

/** Reads an answer of `generateContent` as one of chat completions, with its parts. */
export async function readGemini(response: Response): Promise<Received> {
  const { candidates, usageMetadata: usage } = (await response.json()) as any
  const { parts } = candidates[0].content as { parts: Part[] }
  const calls = parts.flatMap(({ functionCall: call }) => (call === undefined ? [] : [call]))
  return {
    content: parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
    toolCalls: calls.map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
    parts,
    finishReason: candidates[0].finishReason,
    usage: {
      prompt_tokens: usage.promptTokenCount,
      completion_tokens: usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0),
    },
  }
}

function callsOf(
  message: ChatMessage,
): readonly { readonly id: string; readonly function: { readonly name: string } }[] {
  return (message['tool_calls'] ?? []) as ReturnType<typeof callsOf>
}

function resultOf({ tool_call_id: id, content }: ChatMessage, names: ReadonlyMap<unknown, string>): Part {
  return { functionResponse: { id, name: names.get(id), response: { output: content } } }
}
