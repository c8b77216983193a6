import type { Outcome, FunctionTool, ToolCall } from '@repertoire/gate/internal'
import { TIMED_OUT, waitFor } from '../../time-limit.ts'
import { failureText, resultText } from '../refusal.ts'
import type { RunOptions } from '../run-options.ts'

/** Characters of a result that a model is shown. */
const MAX_SHOWN_CHARS = 60_000

/**
 * Runs a tool that a skill has provided. What it throws is its result, and so is that it took too long: no framework knows
 * the tool. Its own signal aborts with the given one, and when its time is over; after that it is not waited for.
 * @throws the signal's reason
 */
export async function runProvidedTool(
  tool: FunctionTool,
  { id, input }: ToolCall,
  { signal, timeoutMs }: Pick<RunOptions, 'signal'> & { readonly timeoutMs: number },
): Promise<Outcome> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  // At once: the tool may have started what ends with its signal.
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const running = Promise.resolve(tool.execute(input, { callId: id, signal: controller.signal }))
    const value = await waitFor(running, timeoutMs, signal)
    signal?.throwIfAborted()
    if (value !== TIMED_OUT) return { ok: true, value, text: shownText(value) }
    controller.abort(new DOMException('The tool timed out.', 'TimeoutError'))
    return failedWith(`The tool took longer than ${timeoutMs} ms and was aborted. What it had done by then is done.`)
  } catch (error) {
    signal?.throwIfAborted()
    return failedWith(failureText(error))
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function failedWith(message: string): Outcome {
  return { ok: true, value: { isError: true, message }, text: JSON.stringify({ error: { message } }) }
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
