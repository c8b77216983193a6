import {
  type AnyTable,
  type OptionTable,
  anyText,
  callable,
  checkOptions,
  flag,
  foreign,
  functionOf,
  isObject,
  listOf,
  quote,
  required,
  signal,
  tableProblem,
  text,
} from '@repertoire/skill-md/internal'
import type { AdapterSession } from './adapter-session.ts'
import type { ActivateOptions, CallOptions, PreviewOptions, RunScriptOptions, TurnOptions } from './session.ts'
import type { PromptRequest, Step, StepOptions } from './step/step.ts'
import type { Outcome } from '../ports/outcome.ts'
import type { ToolCall } from '../ports/tool.ts'
import { refuse } from './refusals.ts'

export const CALL_OPTIONS: OptionTable<CallOptions> = {
  signal,
  suspends: callable,
  fork: functionOf('a function that runs a sub-agent'),
  canWait: flag,
  recorded: callable,
  message: anyText,
}

export const ACTIVATE_OPTIONS: OptionTable<ActivateOptions> = { ...CALL_OPTIONS, id: anyText, args: anyText }

export const RUN_SCRIPT_OPTIONS: OptionTable<RunScriptOptions> = {
  signal,
  args: listOf(anyText, 'a list of texts'),
  skill: text,
  id: anyText,
}

export const TURN_OPTIONS: OptionTable<TurnOptions> = { ...CALL_OPTIONS, id: anyText }

const STEP_OPTIONS: OptionTable<StepOptions<unknown>> = {
  tools: required(listOf(anyText, 'a list of the names of your tools')),
  resolveModel: callable,
  nameOf: callable,
}

/** The options of `prompt` of a step. */
export const PROMPT_OPTIONS: OptionTable<PromptRequest<unknown>> = {
  system: anyText,
  messages: required(foreign('a list of messages', Array.isArray)),
  describe: required(functionOf('a function that describes a message')),
  tools: listOf(anyText, 'a list of tools as JSON'),
  asMessage: callable,
  summarize: callable,
  chained: flag,
  signal,
}

/** Returns the options of a step with the names of the host's tools as a list. @throws {TypeError} one is not right */
export function readStepOptions<Model>(
  method: 'step' | 'view',
  options: StepOptions<Model>,
): StepOptions<Model> & { readonly tools: readonly string[] } {
  const { tools } = Object(options) as StepOptions<Model>
  const read = isIterable(tools) ? { ...options, tools: [...tools] } : options
  checkOptions(method, STEP_OPTIONS as OptionTable<StepOptions<Model>>, read)
  return read as typeof read & { readonly tools: readonly string[] }
}

export const PREVIEW_OPTIONS: OptionTable<PreviewOptions> = {
  signal,
  message: anyText,
  asks: flag,
}

/** The options of `session.ask` and `session.question`. */
export const ASK_OPTIONS: OptionTable<NonNullable<Parameters<AdapterSession['ask']>[2]>> = { signal }

/** Checks that a call names its tool. A call may have more than that. @throws {TypeError} it is no call */
export function checkCall(method: string, call: unknown): void {
  const { tool } = Object(call) as { readonly tool?: unknown }
  checkOptions(method, { tool: required(anyText) }, { tool }, `${method}({ id: '1', tool: 'Read', input: {} })`)
}

const HANDLER = required(functionOf('a function that answers the request'))

/** The arguments of a session's methods that are neither calls nor options. */
const ARGUMENTS = {
  recordUsage: { usage: required(foreign('an object { inputTokens, outputTokens }', isObject)) },
  invokes: { message: required(anyText) },
  activate: { skill: required(text) },
  reminder: { isShown: required(callable) },
  ask: { work: required(functionOf('a function that may wait for consent')), handler: HANDLER },
  question: { ask: HANDLER },
  call: { execute: functionOf('a function that runs the call') },
  runScript: { path: required(text) },
  toolName: { name: required(anyText) },
  unjudged: { names: required(foreign('the names of tools', isIterable)) },
  deniedText: { reason: anyText },
} satisfies Partial<Record<keyof AdapterSession | keyof Step, AnyTable>>

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/** Checks arguments of a method of a session, by name. @throws {TypeError} one is missing, or of the wrong kind */
export function checkArguments(method: keyof typeof ARGUMENTS, values: Readonly<Record<string, unknown>>): void {
  const problem = tableProblem(ARGUMENTS[method], values, '')
  if (problem !== undefined) throw new TypeError(`${method}: ${problem}`)
}

/** Levels of objects and lists in an input. Far beyond any tool's, and far below what would exhaust a stack. */
const MAX_INPUT_DEPTH = 256

/**
 * A call with a copy of its input, so that what is judged is what runs, whatever the caller does with its own
 * meanwhile. Plain objects and lists are copied. What else a framework made of a value in the model's JSON (a date, a
 * URL) stays the same object: rules are about texts alone, and a copy of it would not be a date or a URL any more.
 * @returns a refusal where the input is nested too deep, refers to itself, names a prototype, or throws when read
 */
export function copyCall(call: ToolCall): { readonly judged: ToolCall } | Extract<Outcome, { ok: false }> {
  try {
    const { input } = call
    // Rules speak of the properties of an input: whatever it was made an instance of, they are there to be judged.
    const copy = copyOf(input, [])
    return { judged: { ...call, input: copy === input && isObjectOrArray(input) ? copyOf({ ...input }, []) : copy } }
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'it cannot be read'
    return refuse.unreadableInput(call.tool, why)
  }
}

/** @throws {RangeError} what is wrong with the value */
function copyOf(value: unknown, parents: readonly object[]): unknown {
  if (!isObjectOrArray(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) {
    if (hasAssignedPrototype(value)) throw prototypeIn('__proto__')
    return value
  }
  if (parents.includes(value)) throw new RangeError('it refers to itself')
  if (parents.length >= MAX_INPUT_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_INPUT_DEPTH} levels`)
  const path = [...parents, value]
  if (Array.isArray(value)) return Array.from<unknown, unknown>(value, (item) => copyOf(item, path))
  // Each property is read once, and all of them before the first one is inspected.
  const entries = Object.entries(value)
  for (const [name, item] of entries) if (namesPrototype(name, item)) throw prototypeIn(name)
  return Object.fromEntries(entries.map(([name, item]) => [name, copyOf(item, path)]))
}

// A name like any other, until a tool or a framework assigns it, as `Object.assign` does: then properties are read that
// no rule has seen.
function namesPrototype(name: string, item: unknown): boolean {
  if (name === '__proto__') return true
  return name === 'constructor' && typeof item === 'object' && item !== null && Object.hasOwn(item, 'prototype')
}

/** Whether a framework has assigned a `__proto__` of the model's JSON to an object that is not plain. */
function hasAssignedPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object
  if (typeof prototype !== 'object') return false
  return typeof Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value !== 'function'
}

function prototypeIn(name: string): RangeError {
  return new RangeError(`it has a property ${quote(name)} that names a prototype`)
}

function isObjectOrArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a plain object's prototype too: it has none itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
