/** A part of a message, as far as its text goes; frameworks have images and files beside it. */
export interface MessagePart {
  readonly type: string
  readonly text?: unknown
}

/**
 * Returns the text of a person's message, as `beginTurn` and `invocation` take it. Each part is a line of its own: "/name"
 * and what is passed to it may be two parts. For adapters.
 */
export function messageText(content: string | readonly MessagePart[]): string {
  if (typeof content === 'string') return content
  // A framework's own type may promise what a program without types does not keep.
  const parts: readonly (MessagePart | null | undefined)[] = Array.isArray(content) ? content : []
  return parts.flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}
