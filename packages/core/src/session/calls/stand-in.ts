import type { ToolCall } from '../../ports/tool.ts'
import { argumentsAsObject, readArguments } from './wire.ts'

/**
 * The name of a tool that models are never offered. Some frameworks end a run, or answer by themselves, when a model
 * calls a tool that they do not know, or with arguments that are not an object. An adapter makes such a call one of
 * this tool, with a `WrittenCall` as its input, and the session answers it.
 */
export const CARRIER = 'skills_unknown_call'

/** A call as a model wrote it. */
export interface WrittenCall {
  readonly name: string
  /** The arguments as text, which may not be JSON. */
  readonly arguments: string
}

const INVOCATION = 'invocation_'

/** A call that no model wrote. It represents a person's `/name` that waits for consent. */
export interface InvocationCall {
  /** Names the turn. */
  readonly id: string
  /** The skill, its arguments, and the person's whole message. */
  readonly input: { readonly name: string; readonly arguments?: string; readonly message: string }
}

export function invocationCall(
  turn: string,
  message: string,
  invocation: { readonly skill: string; readonly args?: string },
): InvocationCall {
  const { skill: name, args } = invocation
  return { id: INVOCATION + turn, input: { name, arguments: args, message } }
}

/** Makes a call that represents a person's message: its preview says what the message waits for. */
export function messageCall(turn: string, message: string): ToolCall {
  return { id: INVOCATION + turn, tool: '', input: { message } }
}

/** What a framework's call means. */
export interface StandIn {
  /** The call that the model meant: for one of the carrier, the call that it carries; any other call itself. */
  readonly meant: ToolCall
  /** What a call of the carrier carries, as the model wrote it. */
  readonly written?: WrittenCall
  /** A person's `/name` that waits for consent: what `session.beginTurn(message, { id })` is called with. */
  readonly turn?: { readonly id: string; readonly message: string }
}

/** Returns what a framework's call means. */
export function standsFor(call: ToolCall): StandIn {
  const { name, arguments: text, message } = argumentsAsObject(call.input)
  if (isInvocationId(call.id)) {
    return { meant: call, turn: { id: call.id.slice(INVOCATION.length), message: String(message) } }
  }
  if (call.tool !== CARRIER) return { meant: call }
  const written = { name: String(name), arguments: String(text) }
  return { meant: { ...call, tool: written.name, input: readArguments(written.arguments) }, written }
}

export function isInvocationId(id: string): boolean {
  return id.startsWith(INVOCATION)
}
