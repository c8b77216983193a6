import type { ForkRunner, Outcome, Session, StepView, ToolDefinition } from '@repertoire/core'
import { dynamicTool, jsonSchema, type ToolExecutionOptions, type ToolSet } from 'ai'
import { asTold, RefusedCall } from './refused-call.ts'

/** A tool as a host gives it. */
export type HostTool = ToolSet[string]

type JsonSchema = Parameters<typeof jsonSchema>[0]
type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

/** The skill tools of a session, as tools of AI SDK. */
export interface SkillTools {
  /**
   * The host's tools and, behind them, the skill tools. AI SDK looks into it anew at every step, so it stays the same
   * object, and what comes with a step is put into it.
   */
  readonly tools: ToolSet
  /** The names of all that are in there: a call of one that is gone meanwhile is still the session's to judge. */
  readonly names: ReadonlySet<string>
  /** Takes up the skill tools of a step, in their order. */
  show(view: StepView): void
  /** Whether the session takes calls of a tool as its own, though perhaps no step has shown it for want of room. */
  owns(name: string): boolean
  /** Makes a tool that no step has shown be found when it is called. The model is not shown it. */
  add(name: string, into?: ToolSet): void
}

/**
 * The skill tools behind the host's. What they say of themselves is that of the step.
 * @param fork runs the sub-agents of skills
 */
export function createSkillTools(session: Session, hostTools: ToolSet, fork: ForkRunner): SkillTools {
  const tools: ToolSet = { ...hostTools }
  const names = new Set<string>()
  const definitions = new Map<string, ToolDefinition>()

  function skillTool(name: string): HostTool {
    return dynamicTool({
      description: () => definitions.get(name)?.description ?? '',
      // Without a validator: what is wrong with an input is core's to say.
      inputSchema: () => jsonSchema((definitions.get(name)?.inputSchema ?? { type: 'object' }) as JsonSchema),
      async execute(input, { toolCallId: id, abortSignal: signal }) {
        const outcome = await session.call({ id, tool: name, input }, nothing, { signal, fork })
        return told(outcome).text
      },
    })
  }

  function add(name: string, into: ToolSet = tools): void {
    if (Object.hasOwn(hostTools, name)) {
      throw new TypeError(`The host has a tool named "${name}", which is the name of a skill tool. Rename it.`)
    }
    const value = Object.hasOwn(tools, name) ? tools[name] : skillTool(name)
    names.add(name)
    // The order of a step is core's, also where a tool comes or comes back.
    for (const set of new Set([tools, into])) {
      delete set[name]
      // A name of a stored conversation may be any, `__proto__` too.
      Object.defineProperty(set, name, { value, enumerable: true, configurable: true, writable: true })
    }
  }

  return {
    tools,
    names,
    show({ tools: shown }) {
      for (const definition of shown) {
        definitions.set(definition.name, definition)
        add(definition.name)
      }
    },
    owns: (name) => names.has(name) || (session.toolName(name) === name && !Object.hasOwn(hostTools, name)),
    add,
  }
}

/** A tool of the host's whose every run passes the session. One that AI SDK does not run stays as it is. */
export function gated(session: Session, name: string, tool: HostTool): HostTool {
  if (tool.execute === undefined) return tool
  const run = tool.execute.bind(tool) as Execute

  async function authorised(
    input: unknown,
    options: ToolExecutionOptions<unknown>,
    execute: Execute,
  ): Promise<unknown> {
    const { toolCallId: id, abortSignal: signal } = options
    const outcome = await session.call({ id, tool: name, input }, (call) => execute(call.input, options), { signal })
    return told(outcome).value
  }
  async function once(input: unknown, options: ToolExecutionOptions<unknown>): Promise<unknown> {
    try {
      return await authorised(input, options, (judged) => {
        const output = run(judged, options)
        return isIterable(output) ? last(output) : output
      })
    } catch (error) {
      throw asTold(error)
    }
  }
  async function* streamed(input: unknown, options: ToolExecutionOptions<unknown>): AsyncGenerator {
    const begun = Promise.withResolvers<AsyncIterable<unknown>>()
    const over = Promise.withResolvers<void>()
    // Of a call that is refused nobody waits for this.
    over.promise.catch(() => undefined)
    // The call lasts as long as the parts come: what becomes of them is what becomes of it.
    const call = authorised(input, options, (judged) => {
      begun.resolve(run(judged, options) as AsyncIterable<unknown>)
      return over.promise
    })
    try {
      yield* (await Promise.race([begun.promise, call])) as AsyncIterable<unknown>
    } catch (error) {
      over.reject(error)
    } finally {
      over.resolve()
    }
    await call.catch((error: unknown) => {
      throw asTold(error)
    })
  }
  // AI SDK has to know at once whether a tool streams, when nothing may have run yet: only generators tell it.
  const streams = Object.prototype.toString.call(tool.execute) === '[object AsyncGeneratorFunction]'
  // A copy with every own property, for AI SDK keeps some under symbols and some where a spread does not see them.
  return Object.create(Object.getPrototypeOf(tool) as object, {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: streams ? streamed : once, enumerable: true },
  }) as HostTool
}

/** For calls that are only judged, and for the skill tools, which the session carries out itself. */
export function nothing(): undefined {}

function told(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new RefusedCall(outcome)
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
