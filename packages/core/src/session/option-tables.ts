import {
  anyText,
  callable,
  foreign,
  functionOf,
  listOf,
  required,
  signal,
  type AnyTable,
  checkOptions,
  isObject,
  type OptionTable,
  tableProblem,
} from '@repertoire/skill-md/internal'
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

const HANDLER = required(functionOf('a function that answers the request'))

/** The arguments of a session's methods that are neither calls nor options. */
const ARGUMENTS = {
  beginStep: { hostTools: required(listOf(anyText, 'a list of the names of your tools')) },
  skillModel: { resolve: callable },
  fitWindow: { request: required(callable) },
  recordUsage: { usage: required(foreign('an object { inputTokens, outputTokens }', isObject)) },
  invocation: { message: required(anyText), id: required(anyText) },
  invoke: { invocation: required(foreign('an object { skill, args }', isObject)) },
  reminder: { isShown: required(callable) },
  ask: { request: required(foreign('a request, as from `consentFor`', isObject)), handler: HANDLER },
  question: { ask: HANDLER },
  call: { execute: required(functionOf('a function that runs the call')) },
  toolName: { name: required(anyText) },
  resolvePath: { path: required(anyText) },
  deniedText: { reason: anyText },
} satisfies Partial<Record<keyof Session, AnyTable>>

/** Checks arguments of a method of a session, by name. @throws {TypeError} one is missing, or of the wrong kind */
export function checkArguments(method: keyof typeof ARGUMENTS, values: Readonly<Record<string, unknown>>): void {
  const problem = tableProblem(ARGUMENTS[method], values, '')
  if (problem !== undefined) throw new TypeError(`${method}: ${problem}`)
}

/** Returns the names of the host's tools as a list. @throws {TypeError} they are no list of names */
export function readHostTools(given: unknown): readonly string[] {
  const isList = typeof given === 'object' && given !== null && Symbol.iterator in given
  const hostTools: unknown = isList ? [...(given as Iterable<unknown>)] : given
  checkArguments('beginStep', { hostTools })
  return hostTools as readonly string[]
}
