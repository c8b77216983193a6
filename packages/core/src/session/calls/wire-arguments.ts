/**
 * Arguments as a model wrote them: the JSON value; none where there is nothing, which is how some models call a tool
 * that needs no input; the text itself where it is no JSON, which is refused as such. For frameworks that have the text.
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
 * The input of a call as it is sent back to the model. Servers parse the arguments of earlier calls and fail on anything
 * but an object, which would end the conversation for good; what was wrong with them stands in the result of the call.
 */
export function argumentsAsObject(input: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? (input as Readonly<Record<string, unknown>>) : {}
}
