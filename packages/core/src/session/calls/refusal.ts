import type { Outcome, Refusal } from '../../ports/outcome.ts'

/** A call that was not carried out. */
export type Refused = Extract<Outcome, { ok: false }>

/**
 * A call that was not carried out, with the text that the model is shown: a JSON object, worded here alone, so that a
 * refusal reads the same in every framework.
 */
export function refused(refusal: Refusal): Refused {
  const { code, reason, allowedTools } = refusal
  return {
    ok: false,
    refusal,
    text: JSON.stringify({ error: { code, reason, ...(allowedTools !== undefined && { allowedTools }) } }),
  }
}

/** A call of a tool that there is not. A skill's own tool that is not visible is one of those. */
export function unknownTool(tool: string): Refused {
  return refused({
    code: 'TOOL_UNKNOWN',
    reason: `There is no tool ${JSON.stringify(tool.slice(0, 80))}. Call one of the tools that you were given, by its exact name.`,
  })
}

/** Characters of an error's message that a refusal shows at the most. */
const MAX_FAILURE_CHARS = 1_000

/** What an error says, as the reason of a refusal. It may come from a source or a folder of anybody's: it is cut. */
export function failureReason(error: unknown): string {
  const text = failureText(error)
  return text.length > MAX_FAILURE_CHARS ? `${text.slice(0, MAX_FAILURE_CHARS)}…` : text
}

/**
 * The text that a model is shown of what a host's tool returned: a string as it is, everything else as JSON, nothing
 * as `null`. For frameworks that do not word results themselves.
 * @throws {TypeError} what JSON cannot carry, as `JSON.stringify` says it
 */
export function resultText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? 'null')
}

/**
 * What stands as the result of a call that was left without one, since a person wrote on instead of answering, or a run
 * was broken off: model APIs take no message behind such a call. For adapters, whose frameworks leave one.
 */
export function abandonedCallError(tool: string): Error {
  return new Error(
    `The call of ${JSON.stringify(tool.slice(0, 80))} has no result: the conversation went on before it was done. Do not take it for done, and repeat it only where it is still wanted.`,
  )
}

/**
 * The text that a model is shown where a tool of the host's threw: what the error says of itself. Adapters whose
 * framework has words of its own for it leave those alone. Never throws, whatever was thrown.
 */
export function failureText(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'The tool failed, and what it threw cannot be shown.'
  }
}
