import type { ConsentAnswer, ConsentRequest, Outcome, Repertoire, SavedSession, ToolCall } from '@repertoire/core'
import { openAdapterSession, type AdapterSession } from '@repertoire/core/adapter'

/** What is stored until the answer comes: JSON. */
export interface Waiting {
  readonly session: SavedSession
  readonly call: ToolCall
  readonly request: ConsentRequest
}

/** Returns what a call of the model waits for; undefined: nothing, so it can be made at once. */
export async function askLater(session: AdapterSession, call: ToolCall): Promise<Waiting | undefined> {
  const request = (await session.preview(call, { asks: true })).waits
  return request && { session: session.save(), call, request }
}

/** Records the answer and makes the call, in whatever process. */
export async function goOn(repertoire: Repertoire, waiting: Waiting, answer: ConsentAnswer): Promise<Outcome> {
  const session = openAdapterSession(repertoire, { saved: waiting.session })
  session.answer(answer)
  return session.call(waiting.call, () => undefined)
}
