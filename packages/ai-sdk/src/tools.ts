import { type ForkRunner, type Outcome, showName, type StepView, type ToolDefinition } from '@repertoire/core'
import { partsUntilAborted, standsFor } from '@repertoire/core/adapter'
import { dynamicTool, jsonSchema, type ToolExecutionOptions, type ToolSet } from 'ai'
import { withPlainMessage, RefusedCallError } from './refused-call.ts'
import type { Saves } from './saves.ts'
import type { Steps } from './steps.ts'
import type { Turns } from './turn.ts'

/** A tool of a host. */
export type HostTool = ToolSet[string]

type JsonSchema = Parameters<typeof jsonSchema>[0]
type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

/** The skill tools of a session, as tools of AI SDK. */
export interface SkillTools {
  /**
   * The host's tools and, after them, the skill tools. AI SDK reads it at every step, so it stays the same object, and
   * the tools of a step are added to it.
   */
  readonly tools: ToolSet
  /** The names of all skill tools that were ever added: the session judges calls of removed ones, too. */
  readonly names: ReadonlySet<string>
  /** Adds the skill tools of a step, in their order. */
  show(view: StepView): void
  /** Whether the session handles calls of a tool, even if no step has shown it because it did not fit. */
  owns(name: string): boolean
  /** Adds a tool that no step has shown, so that AI SDK finds it. The model does not see it. */
  add(name: string, into?: ToolSet): void
}

const ANY_INPUT: ToolDefinition['inputSchema'] = { type: 'object' }

interface SkillToolParts {
  readonly fork: ForkRunner
  readonly turns: Turns
  readonly saves: Pick<Saves, 'trySave'>
  readonly made: (name: string, tool: HostTool) => HostTool
}

/**
 * Adds the skill tools after the host's, with their descriptions of the current step.
 * @param fork runs the sub-agents of skills
 * @param turns begins the turns of answered calls that represent a person's `/name`
 * @param saves saves the session after each call
 * @param made returns a tool as this version of AI SDK takes it
 */
export function createSkillTools(
  steps: Steps,
  hostTools: ToolSet,
  { fork, turns, saves, made }: SkillToolParts,
): SkillTools {
  const tools: ToolSet = { ...hostTools }
  const names = new Set<string>()
  const definitions = new Map<string, ToolDefinition>()

  function skillTool(name: string): HostTool {
    const tool = dynamicTool({
      // Without a validator: core reports what is wrong with an input.
      inputSchema: () => jsonSchema((definitions.get(name)?.inputSchema ?? ANY_INPUT) as JsonSchema),
      async execute(input, { toolCallId: id, abortSignal: signal }) {
        try {
          const call = { id, tool: name, input }
          const { turn } = standsFor(call)
          if (turn !== undefined) return (await turns.answered(turn, signal)) ?? ''
          const step = await steps.of(id)
          return unwrap(await step.call(call, doNothing, { signal, fork })).text
        } finally {
          await saves.trySave()
        }
      },
    })
    // Read at every step, in which the description may be another one.
    const get = (): string => definitions.get(name)?.description ?? ''
    return made(name, Object.defineProperty(tool, 'description', { get, enumerable: true }))
  }

  function add(name: string, into: ToolSet = tools): void {
    if (Object.hasOwn(hostTools, name)) {
      throw new TypeError(
        `The host has a tool named "${showName(name)}", which is the name of a skill tool. Rename it.`,
      )
    }
    const value = Object.hasOwn(tools, name) ? tools[name] : skillTool(name)
    names.add(name)
    // Core decides the order, also for tools that are added later.
    for (const set of new Set([tools, into])) {
      delete set[name]
      // A stored conversation may contain any name, `__proto__` too.
      Object.defineProperty(set, name, { value, enumerable: true, configurable: true, writable: true })
    }
  }

  // What was shown last, in its order; empty where other tools have come since.
  let shownLast: readonly ToolDefinition[] = []

  return {
    tools,
    names,
    show({ tools: shown }) {
      if (shown.length === shownLast.length && shown.every((each, index) => each === shownLast[index])) return
      shownLast = shown
      for (const definition of shown) {
        definitions.set(definition.name, definition)
        add(definition.name)
      }
    },
    owns: (name) => names.has(name) || (steps.session.toolName(name) === name && !Object.hasOwn(hostTools, name)),
    add(name, into) {
      shownLast = []
      add(name, into)
    },
  }
}

/** Wraps a host's tool so that every run passes the session. A tool that AI SDK does not run is returned unchanged. */
export function gated(steps: Steps, name: string, tool: HostTool): HostTool {
  if (tool.execute === undefined) return tool
  const run = tool.execute.bind(tool) as Execute

  async function authorised(
    input: unknown,
    options: ToolExecutionOptions<unknown>,
    execute: Execute,
  ): Promise<unknown> {
    const { toolCallId: id, abortSignal: signal } = options
    const step = await steps.of(id)
    const outcome = await step.call({ id, tool: name, input }, (call) => execute(call.input, options), { signal })
    return unwrap(outcome).value
  }
  async function once(input: unknown, options: ToolExecutionOptions<unknown>): Promise<unknown> {
    try {
      return await authorised(input, options, (judged) => {
        const output = run(judged, options)
        return isIterable(output) ? last(output) : output
      })
    } catch (error) {
      throw withPlainMessage(error)
    }
  }
  async function* streamed(input: unknown, options: ToolExecutionOptions<unknown>): AsyncGenerator {
    const begun = Promise.withResolvers<AsyncIterable<unknown>>()
    const over = Promise.withResolvers<void>()
    // If the call is refused, nothing awaits this promise.
    over.promise.catch(() => undefined)
    // The call lasts until the stream of parts ends, and fails if that fails.
    const call = authorised(input, options, (judged) => {
      begun.resolve(run(judged, options) as AsyncIterable<unknown>)
      return over.promise
    })
    try {
      const parts = (await Promise.race([begun.promise, call])) as AsyncIterable<unknown>
      yield* partsUntilAborted(parts, options.abortSignal)
    } catch (error) {
      over.reject(error)
    } finally {
      over.resolve()
    }
    await call.catch((error: unknown) => {
      throw withPlainMessage(error)
    })
  }
  // AI SDK must know whether a tool streams before anything has run: only a generator function shows it.
  const streams = Object.prototype.toString.call(tool.execute) === '[object AsyncGeneratorFunction]'
  // A copy with every own property, since some of AI SDK's have symbols as keys or are not enumerable.
  return Object.create(Object.getPrototypeOf(tool) as object, {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: streams ? streamed : once, enumerable: true },
  }) as HostTool
}

/** For calls that are only authorised, and for skill tools, which the session runs itself. */
export function doNothing(): undefined {}

function unwrap(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new RefusedCallError(outcome)
  return outcome
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function last(outputs: AsyncIterable<unknown>): Promise<unknown> {
  let output: unknown
  for await (output of outputs);
  return output
}
