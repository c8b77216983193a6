import { anyText, callable, functionOf, required, signal } from '../options/kinds.ts'
import { checkOptions, isObject, type OptionTable } from '../options/table.ts'
import type { CallOptions, Session, StepOptions, TurnOptions } from './session.ts'

/** The options of `session.call` and `session.invoke`. */
export const CALL_OPTIONS: OptionTable<CallOptions> = {
  signal,
  suspends: callable,
  fork: functionOf('a function that runs a sub-agent'),
  message: anyText,
}

/** The options of `session.beginTurn`. */
export const TURN_OPTIONS: OptionTable<TurnOptions> = { ...CALL_OPTIONS, id: anyText }

/** The options of `session.beginStep`. */
export const STEP_OPTIONS: OptionTable<StepOptions> = { model: anyText }

/** The options of `session.consentFor`. */
export const CONSENT_OPTIONS: OptionTable<NonNullable<Parameters<Session['consentFor']>[1]>> = {
  signal,
  message: anyText,
}

/** The options of `session.ask` and `session.question`. */
export const ASK_OPTIONS: OptionTable<NonNullable<Parameters<Session['ask']>[2]>> = { signal }

/** Checks that a call names its tool. A call may have more than that. @throws {TypeError} it is no call */
export function checkCall(method: string, call: unknown): void {
  const { tool } = (isObject(call) ? call : {}) as { readonly tool?: unknown }
  checkOptions(method, { tool: required(anyText) }, { tool }, `${method}({ id: '1', tool: 'Read', input: {} })`)
}
