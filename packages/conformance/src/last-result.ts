import type { Play } from './endpoint/play.ts'
import { failure } from './failure.ts'

/** Returns the result of a call, as the model was shown it in the last request. For an adapter's own tests. */
export function lastResult({ requests }: Pick<Play, 'requests'>, callId: string): string {
  const results = requests.at(-1)?.messages.filter(({ role, callId: id }) => role === 'tool' && id === callId) ?? []
  const [result] = results
  if (result === undefined || results.length > 1) throw failure(`one result of ${callId} in the last request`, results)
  return result.text
}

/** Returns the refusal of a call, as the model was shown it in the last request. For an adapter's own tests. */
export function lastRefusal(play: Pick<Play, 'requests'>, callId: string): ShownRefusal {
  const text = lastResult(play, callId)
  const refusal = refusalIn(text)
  if (refusal === undefined) throw failure(`the result of ${callId} to be a refusal`, text)
  return refusal
}

/** A refusal as a model is shown it. */
export interface ShownRefusal {
  readonly code: string
  readonly reason: string
  readonly allowedTools?: readonly string[]
}

function refusalIn(text: string): ShownRefusal | undefined {
  try {
    return (JSON.parse(text) as { error?: ShownRefusal } | null)?.error
  } catch {
    return undefined
  }
}
