import {
  type OptionTable,
  anyText,
  callable,
  checkOptions,
  required,
  tableWithout,
} from '@repertoire/skill-md/internal'
import type { ConsentRequest } from '../../ports/consent.ts'
import { ASK_OPTIONS, TURN_OPTIONS } from '../call-arguments.ts'
import type { AdapterSession } from '../adapter-session.ts'
import type { TurnOptions } from '../session.ts'
import { type InvocationCall, invocationCall } from '../calls/stand-in.ts'
import type { Turn } from './turn.ts'

/** How a turn begins where the adapter asks for consent. */
interface TurnWithConsentOptions extends TurnOptions {
  /** The same whenever this message comes: a run that was suspended finds the answer to its request by it. */
  readonly id: string
  /**
   * Asks, and records the answer by `session.ask` or `session.answer`; a throw suspends the run before the turn begins.
   * Absent: nobody can be asked.
   */
  readonly ask?: ((request: ConsentRequest) => void | Promise<void>) | undefined
  /** See `openConsent`. */
  readonly recorded?: AskOptions['recorded']
}

/** How a request is made before a run. */
type AskOptions = Pick<NonNullable<Parameters<AdapterSession['openConsent']>[1]>, 'signal' | 'recorded'>

const INVOCATION_OPTIONS: OptionTable<AskOptions> = { ...ASK_OPTIONS, recorded: callable }

const TURN_WITH_CONSENT_OPTIONS: OptionTable<TurnWithConsentOptions> = {
  ...TURN_OPTIONS,
  id: required(anyText),
  ask: callable,
  recorded: callable,
}

/**
 * Begins a turn as `session.beginTurn` does, after asking for consent to what the message invokes. For adapters whose
 * framework can wait for a person while a run begins.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws what `ask` throws; the signal's reason
 */
export async function beginTurnWithConsent(
  session: AdapterSession,
  message: string,
  given: TurnWithConsentOptions,
): Promise<Turn> {
  checkOptions('beginTurnWithConsent', TURN_WITH_CONSENT_OPTIONS, given)
  const { ask, recorded, ...options } = given
  const { id, signal } = options
  const request = ask && (await invocationConsentRequest(session, message, id, { signal, recorded }))
  if (request !== undefined) await ask?.(request)
  return session.beginTurn(message, options)
}

/**
 * Returns the request for consent that a person's message waits for before its turn begins, `/name args` of a skill that
 * needs consent; undefined where it waits for none. For adapters whose framework asks before a run.
 * @param id the one that `beginTurn` will be given
 * @throws the signal's reason
 */
export async function invocationConsentRequest(
  session: AdapterSession,
  message: string,
  id: string,
  options: AskOptions = {},
): Promise<ConsentRequest | undefined> {
  checkOptions('invocationConsentRequest', INVOCATION_OPTIONS, options)
  const invocation = session.invocation(message, id)
  return invocation === undefined ? undefined : session.openConsent(invocation, options)
}

const BEGIN_OPTIONS: OptionTable<Omit<TurnOptions, 'id'>> = tableWithout(TURN_OPTIONS, 'id')

/** What a person's message has begun: a turn, or a question about the `/name` in it. */
export type BegunTurn =
  | { readonly turn: Turn; readonly asks?: never }
  | { readonly turn?: never; readonly asks: InvocationCall }

/**
 * Begins a turn, or returns a call for the framework to ask about: a person's `/name` that needs consent. When the call is
 * approved or denied, and the answer recorded, `standsFor(call).turn` is what `session.beginTurn` is called with.
 * A person who writes on has answered no to every open request. For adapters whose framework waits for a person in tool calls
 * alone.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws the signal's reason
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
  const invocation = session.invocation(message, id)
  if (invocation !== undefined && (await session.openConsent(invocation, { signal: given.signal })) !== undefined) {
    return { asks: invocationCall(id, message, invocation) }
  }
  return { turn: await session.beginTurn(message, { ...given, id }) }
}
