import type { Outcome } from '../../ports/outcome.ts'
import type { FunctionTool, ToolCall } from '../../ports/tool.ts'
import { untilAborted } from '../../time-limit.ts'
import { failureText, resultText } from '../refusal.ts'

/** Characters of a result that a model is shown. */
const MAX_SHOWN_CHARS = 60_000

/**
 * Runs a tool that a skill has brought. What it throws is its result: no framework knows the tool. One that does not
 * heed the signal is not waited for.
 * @throws the signal's reason
 */
export async function runBroughtTool(
  tool: FunctionTool,
  { id, input }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  try {
    const running = Promise.resolve(tool.execute(input, { callId: id, ...(signal !== undefined && { signal }) }))
    const value = await untilAborted(running, signal)
    return { ok: true, value, text: shownText(value) }
  } catch (error) {
    signal?.throwIfAborted()
    const message = failureText(error)
    return { ok: true, value: { isError: true, message }, text: JSON.stringify({ error: { message } }) }
  }
}

function shownText(value: unknown): string {
  let text: string
  try {
    text = resultText(value)
  } catch {
    return '(the result cannot be shown as JSON)'
  }
  if (text.length <= MAX_SHOWN_CHARS) return text
  return `${text.slice(0, MAX_SHOWN_CHARS)}… (cut after ${MAX_SHOWN_CHARS} of ${text.length} characters)`
}
