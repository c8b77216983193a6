/**
 * Parses arguments as a model wrote them. Returns the JSON value; an empty object for an empty text, which is how some
 * models call a tool that needs no input; the text itself if it is not JSON, which is refused later. For frameworks
 * that pass on the text.
 */
export function readArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Returns the input of a call as it is sent back to the model. Servers parse the arguments of earlier calls and fail on
 * anything but an object, which would end the conversation; what was wrong with them is in the result of the call.
 */
export function argumentsAsObject(input: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? (input as Readonly<Record<string, unknown>>) : {}
}

/** A part of a message, as far as its text goes; frameworks have images and files beside it. */
export interface MessagePart {
  readonly type: string
  readonly text?: unknown
}

/**
 * Returns the text of a person's message, as `beginTurn` and `invocation` take it. Each part is its own line:
 * "/name" and what is passed to it may be two parts. For adapters.
 */
export function messageText(content: string | readonly MessagePart[]): string {
  if (typeof content === 'string') return content
  // A framework's own type may promise what a program without types does not keep.
  const parts: readonly (MessagePart | null | undefined)[] = Array.isArray(content) ? content : []
  return parts.flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}
