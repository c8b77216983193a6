import type {
  ConsentAnswer,
  ConsentRequest,
  Outcome,
  Repertoire,
  SavedSession,
  Session,
  ToolCall,
} from '@repertoire/core'

/** What is stored until the answer comes: JSON. */
export interface Waiting {
  readonly session: SavedSession
  readonly call: ToolCall
  readonly request: ConsentRequest
}

const run = ({ tool }: ToolCall): string => `Ran ${tool}.`

/** Makes a call of the model; returns what to store where it waits for an answer. */
export async function call(session: Session, made: ToolCall): Promise<Outcome | Waiting> {
  const outcome = await session.call(made, run, { canWait: true })
  if (outcome.ok || outcome.waits === undefined) return outcome
  return { session: session.save(), call: made, request: outcome.waits }
}

/** Records the answer and makes the same call again, in whatever process. */
export function goOn(repertoire: Repertoire, waiting: Waiting, answer: ConsentAnswer): Promise<Outcome | Waiting> {
  const session = repertoire.openSession({ saved: waiting.session })
  session.answer(answer)
  return call(session, waiting.call)
}
