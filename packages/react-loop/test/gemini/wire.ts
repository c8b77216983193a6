import { json, type RawAnswer } from '../raw-endpoint.ts'

/** A part as the API gives it. */
export type Part = Readonly<Record<string, unknown>>

export const usageMetadata = {
  promptTokenCount: 7,
  candidatesTokenCount: 2,
  thoughtsTokenCount: 1,
  totalTokenCount: 10,
}

/** Answers with these parts, in one piece or in chunks: texts letter by letter, and the reason with an empty text. */
export function say(
  streamed: boolean,
  parts: readonly Part[],
  finishReason: string,
  more: Readonly<Record<string, unknown>> = {},
): RawAnswer {
  if (!streamed) {
    return json({ candidates: [{ content: { role: 'model', parts }, finishReason, index: 0, ...more }], usageMetadata })
  }
  const letters = parts.flatMap((part) => {
    const { text, thoughtSignature, ...rest } = part
    if (typeof text !== 'string') return [part]
    const pieces = Array.from(text, (letter): Part => ({ text: letter, ...rest }))
    // A text's signature comes behind it.
    return thoughtSignature === undefined ? pieces : [...pieces, { text: '', ...rest, thoughtSignature }]
  })
  return chunkStream([
    ...letters.map((part) => chunk([part])),
    { ...chunk([{ text: '' }], { finishReason, ...more }), usageMetadata },
  ])
}

export function chunk(parts: readonly Part[], more: Readonly<Record<string, unknown>> = {}): Part {
  return { candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] }
}

/** Answers with chunks, and how the stream ends. */
export function chunkStream(chunks: readonly unknown[], end: 'done' | 'cut' | 'half' = 'done'): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = chunks.map((part) => `data: ${JSON.stringify(part)}\r\n\r\n`).join('')
    response.write(end === 'half' ? `${text}data: {"candidates": [` : text, () =>
      end === 'cut' ? response.destroy() : response.end(),
    )
  }
}
