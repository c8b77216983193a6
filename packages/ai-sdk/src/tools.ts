import type { Outcome, Session, StepView } from '@repertoire/core'
import { dynamicTool, jsonSchema, type ToolExecutionOptions, type ToolSet } from 'ai'
import { asTold, RefusedCall } from './refused-call.ts'

/** A tool as a host gives it. */
export type HostTool = ToolSet[string]

type JsonSchema = Parameters<typeof jsonSchema>[0]
type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

/** The skill tools of a step, as tools of AI SDK. What they say of themselves is looked up at every model call. */
export function skillTools(session: Session, view: () => StepView): ToolSet {
  return Object.fromEntries(
    view().tools.map((first) => {
      const current = () => view().tools.find(({ name }) => name === first.name) ?? first
      const tool = dynamicTool({
        description: () => current().description,
        // Without a validator: what is wrong with an input is core's to say.
        inputSchema: () => jsonSchema(current().inputSchema as JsonSchema),
        async execute(input, { toolCallId: id, abortSignal: signal }) {
          const outcome = await session.call({ id, tool: first.name, input }, nothing, { signal })
          return told(outcome).text
        },
      })
      return [first.name, tool]
    }),
  )
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
    try {
      yield* (await authorised(input, options, run)) as AsyncIterable<unknown>
    } catch (error) {
      throw asTold(error)
    }
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
