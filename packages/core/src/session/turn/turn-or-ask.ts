import { type OptionTable, checkOptions, tableWithout } from '@repertoire/skill-md/internal'
import { TURN_OPTIONS } from '../call-arguments.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { TurnOptions } from '../session.ts'
import { type InvocationCall, invocationCall } from '../calls/stand-in.ts'
import { parseInvocation, type Turn } from './turn.ts'

const BEGIN_OPTIONS: OptionTable<Omit<TurnOptions, 'id'>> = tableWithout(TURN_OPTIONS, 'id')

/** What a person's message has begun: a turn, or a question about the `/name` in it. */
export type BegunTurn =
  | { readonly turn: Turn; readonly asks?: never }
  | { readonly turn?: never; readonly asks: InvocationCall }

/**
 * Begins a turn, or returns a call for the framework to ask about: a person's `/name` that needs consent. When the call
 * is approved or denied, and the answer recorded, `standsFor(call).turn` is what `session.beginTurn` is called with. A
 * person who writes on has answered no to every open request. For adapters whose framework waits for a person in tool
 * calls alone.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function beginTurnOrAsk(
  session: AdapterSession,
  message: string,
  given: Omit<TurnOptions, 'id'> = {},
): Promise<BegunTurn> {
  checkOptions('beginTurnOrAsk', BEGIN_OPTIONS, given)
  for (const { id, approved } of session.state.open) {
    if (approved === undefined) session.answer({ requestId: id, approved: false })
  }
  const id = crypto.randomUUID()
  const turn = await session.beginTurn(message, { ...given, id, canWait: true })
  if (turn.waits === undefined) return { turn }
  const { name: skill, args } = parseInvocation(message)!
  return { asks: invocationCall(id, message, { skill, args }) }
}
