/**
 * Parses arguments as a model wrote them. Returns the JSON value; an empty object for an empty text, which is how some
 * models call a tool that needs no input; the text itself where it is not JSON, which is refused later. For frameworks
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
