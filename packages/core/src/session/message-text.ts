/** A part of a message, as far as its text goes; frameworks have images and files beside it. */
export interface MessagePart {
  readonly type: string
  readonly text?: unknown
}

/**
 * The text of a person's message, as `beginTurn` and `invocation` take it. Its parts stay apart, each a line of its own:
 * "/name" and what is passed to it may be two of them. For adapters.
 */
export function messageText(content: string | readonly MessagePart[]): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n')
}
